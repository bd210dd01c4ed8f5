/** Sends one assistant message to a stream, from the log and then live, and ends it with the response. */
import type { ResponseStart, WantedMessage } from "../../../dialects/dialect.ts";
import type { LogSlice } from "../log-slice.ts";
import { LostNodeWait } from "../lost-node-wait.ts";
import { type Tail, tailLog } from "../tail-session.ts";
import type { FrameBatch } from "./frame-batch.ts";
import { MessageResponse } from "./message-response.ts";
import { MessageSearch } from "./message-search.ts";
import { MessageTrack } from "./message-track.ts";
import type { MessageTracks } from "./message-tracks.ts";

export interface MessageTailMeans extends Tail {
  tracks: MessageTracks;
}

export function tailMessage(tail: MessageTailMeans, wanted: WantedMessage, start: ResponseStart): void {
  new MessageTail(tail, wanted, start).follow(wanted.from - 1);
}

interface FoundMessage {
  /** Of its `message.started`. */
  seq: number;
  message: string;
  /** The key under which its tracks are shared. */
  key: string;
}

class MessageTail {
  readonly #tail: MessageTailMeans;
  readonly #wanted: WantedMessage;
  readonly #search: MessageSearch;
  readonly #response: MessageResponse;
  /** Known once the message is found. */
  #found: FoundMessage | undefined;
  /** Its own track, or a shared one at the same position. */
  #track: MessageTrack | undefined;
  readonly #wait: LostNodeWait;

  constructor(tail: MessageTailMeans, wanted: WantedMessage, start: ResponseStart) {
    this.#tail = tail;
    this.#wanted = wanted;
    this.#search = new MessageSearch(wanted.message, wanted.facts);
    this.#wait = new LostNodeWait(wanted.message);
    this.#response = new MessageResponse(wanted.format, start, tail.stream);
  }

  follow(after: number): void {
    tailLog(this.#tail, this.#wanted.session, after, {
      send: (slice, stop) => {
        if (this.#response.isDone || this.#send(slice)) return;
        // Other readers moved the shared track on while this one was behind, so it folds its own copy up to here.
        stop();
        this.#track = this.#createTrack();
        this.follow(this.#found!.seq - 1);
      },
      onLevel: () => {
        if (this.#found) this.#response.level(this.#found.message);
        else if (this.#wait.reason !== undefined) this.#tail.stream.end(this.#wait.reason);
      },
      acknowledged: this.#wanted.from,
    });
  }

  /** False when the message has to be folded again to get here. */
  #send(slice: LogSlice): boolean {
    const found = this.#found ?? this.#find(slice);
    if (!found) {
      if (this.#search.isHopeless) this.#response.finish();
      return true;
    }
    const batch = this.#batchOf(slice, found.key);
    if (!batch) return false;
    this.#response.take(batch, slice.first, slice.last);
    if (this.#response.isOverfull) this.#response.level(found.message);
    return true;
  }

  #find(slice: LogSlice): FoundMessage | undefined {
    this.#search.look(slice.events);
    this.#wait.look(slice.events);
    const { found } = this.#search;
    if (!found) return undefined;
    const { tracks, stream } = this.#tail;
    const { session, format, withRaws } = this.#wanted;
    const shared = `${session}\n${format.key}\n${found.message}`;
    const key = withRaws ? `${shared}\n${crypto.randomUUID()}` : shared;
    this.#found = { ...found, key };
    this.#track = this.#createTrack();
    tracks.enter(key, this.#track);
    stream.onClose(() => tracks.leave(key));
    return this.#found;
  }

  #batchOf(slice: LogSlice, key: string): FrameBatch | undefined {
    const { tracks } = this.#tail;
    const shared = tracks.get(key);
    const own = this.#track;
    if (shared?.canTake(slice)) {
      const batch = shared.take(slice);
      // If the shared track is at this reader's position, one of them is enough.
      if (shared.next === slice.last + 1) this.#track = shared;
      else if (own?.canTake(slice)) own.take(slice);
      return batch;
    }
    if (!own?.canTake(slice)) return undefined;
    const batch = own.take(slice);
    tracks.moved(key, own);
    return batch;
  }

  #createTrack(): MessageTrack {
    const { found, session } = this.#search;
    return new MessageTrack(found!.seq, this.#wanted.format.createView(session));
  }
}
