/** Sends one assistant message to a stream, from the log and then live, and ends it with the response. */
import type { Segment } from "../segment.ts";
import { type Tail, tailLog } from "../tail-session.ts";
import { ChatResponse, type ResponseStart } from "./chat-response.ts";
import type { ChunkBatch } from "./chunk-batch.ts";
import { MessageSearch, type SessionFacts } from "./message-search.ts";
import { MessageTrack } from "./message-track.ts";
import type { MessageTracks } from "./message-tracks.ts";

export interface WantedMessage {
  session: string;
  /** The message itself, or the one it answers. */
  message: string;
  /** The seq of an event before its `message.started`, or of that. */
  from: number;
  toolParts: "static" | "dynamic";
  /** What is known of the session at `from`. */
  facts: SessionFacts;
}

export function tailMessage(
  tail: Tail & { tracks: MessageTracks },
  wanted: WantedMessage,
  start: ResponseStart,
): void {
  const { stream, tracks } = tail;
  const search = new MessageSearch(wanted.message, wanted.facts);
  const response = new ChatResponse(start, {
    write: (frame) => stream.write(frame),
    writeText: (text) => stream.writeText(text),
    end: () => stream.end(),
  });
  let track: MessageTrack | undefined;
  let key = "";

  function createTrack(): MessageTrack {
    return new MessageTrack(search.found!.seq, { toolParts: wanted.toolParts, session: search.session });
  }

  /** What this stretch adds; undefined when the message has to be folded again to get there. */
  function batchOf(segment: Segment): ChunkBatch | undefined {
    const shared = tracks.get(key);
    if (shared?.canTake(segment)) {
      const batch = shared.take(segment);
      // It stands where this reader stands now, so one of them is enough.
      if (shared.next === segment.last + 1) track = shared;
      else if (track?.canTake(segment)) track.take(segment);
      return batch;
    }
    if (!track?.canTake(segment)) return undefined;
    const batch = track.take(segment);
    tracks.moved(key, track);
    return batch;
  }

  function send(segment: Segment): boolean {
    if (!search.found) {
      search.look(segment.events);
      if (search.isHopeless) response.finish();
      if (!search.found) return true;
      key = `${wanted.session}\n${wanted.toolParts}\n${search.found.message}`;
      track = createTrack();
      tracks.enter(key, track);
      stream.onClose(() => tracks.leave(key));
    }
    const batch = batchOf(segment);
    if (!batch) return false;
    response.take(batch, segment.first, segment.last);
    if (response.isOverfull) response.level(search.found.message);
    return true;
  }

  function follow(after: number): void {
    tailLog(tail, wanted.session, after, {
      send(segment, stop) {
        if (response.isDone || send(segment)) return;
        // Others have moved the track on while this reader was behind: it folds a copy of its own, unseen, up to here.
        stop();
        track = createTrack();
        follow(search.found!.seq - 1);
      },
      onLevel: () => search.found && response.level(search.found.message),
    });
  }

  follow(wanted.from - 1);
}
