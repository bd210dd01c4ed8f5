/** Sends a dialect's view of a session to a stream: from the log, then live, until the session is closed. */
import { eventOf } from "../../core/encoded-event.ts";
import type { FollowSession, SharedView, View } from "../../dialects/dialect.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import type { LogSlice } from "./log-slice.ts";
import { showsAll } from "./shown-slice.ts";
import { type Tail, tailLog } from "./tail-session.ts";
import { ViewBatch, type ViewEntry } from "./view-batch.ts";
import { ViewTrack } from "./view-track.ts";

export function tailView(tail: Tail, session: string, options: FollowSession): void {
  const { after, from = after, shared } = options;
  if (shared) new SharedViewTail(tail, session, shared, options).begin(options.view, from);
  else tailOwnView(tail, session, options);
}

function tailOwnView(tail: Tail, session: string, options: FollowSession): void {
  const { stream } = tail;
  const { view, after, from = after, isComplete } = options;
  let onLevel = options.onLevel;
  tailLog(tail, session, from, {
    onLevel() {
      onLevel?.(view);
      onLevel = undefined;
    },
    send(slice) {
      const entries: ViewEntry[] = [];
      for (const encoded of slice.events) {
        const event = eventOf(encoded);
        const frames = view.add(event);
        if (event.seq <= after) continue;
        for (const { text } of frames) entries.push({ seq: event.seq, text });
        if (!isComplete?.(event) && event.type !== "session.closed") continue;
        stream.writeFrames(new ViewBatch(entries, true));
        return stream.end();
      }
      if (entries.length > 0) stream.writeFrames(new ViewBatch(entries, false));
    },
  });
}

/** A reader that shares its view with all others that begin at the same event, and with all that are level once it is, too. */
class SharedViewTail {
  readonly #tail: Tail;
  readonly #session: string;
  readonly #shared: SharedView;
  readonly #key: string;
  /** The last event whose frames were sent. */
  #sent: number;
  #track: ViewTrack | undefined;
  #hasEntered = false;
  #onLevel: FollowSession["onLevel"];

  constructor(tail: Tail, session: string, shared: SharedView, { after, onLevel }: FollowSession) {
    this.#tail = tail;
    this.#session = session;
    this.#shared = shared;
    this.#sent = after;
    // Readers who are shown less share nothing with those who are shown all.
    this.#key = `${session}\n${shared.key}\n${showsAll(tail.stream)}`;
    this.#onLevel = onLevel;
  }

  begin(view: View, from: number): void {
    const { fanOut, stream } = this.#tail;
    this.#follow(fanOut.views.begin(this.#key, from, view), from);
    stream.onClose(() => fanOut.views.release(this.#key, from));
  }

  #follow(track: ViewTrack, from: number): void {
    this.#track = track;
    tailLog(this.#tail, this.#session, from, {
      send: (slice, stop) => {
        const batch = this.#batchOf(slice);
        if (batch) return this.#send(slice, batch);
        // Others moved the shared view on while this reader was behind.
        stop();
        void this.#restart();
      },
      onLevel: () => this.#level(),
    });
  }

  #batchOf(slice: LogSlice): ViewBatch | undefined {
    return this.#track?.canTake(slice) ? this.#track.take(slice) : undefined;
  }

  #send(slice: LogSlice, batch: ViewBatch): void {
    const { stream } = this.#tail;
    const fresh = batch.after(this.#sent);
    this.#sent = Math.max(this.#sent, slice.last);
    if (!fresh.isEmpty) stream.writeFrames(fresh);
    if (batch.closesSession) stream.end("the session is closed");
  }

  #level(): void {
    const { fanOut, stream } = this.#tail;
    const track = this.#track;
    // It shares a track that others moved on; with the next slice it begins again, or gets what they kept.
    if (!track || !stream.isOpen || track.next !== this.#sent + 1) return;
    this.#onLevel?.(track.view);
    this.#onLevel = undefined;
    if (this.#hasEntered) {
      this.#track = fanOut.views.join(this.#key, track);
      return;
    }
    this.#hasEntered = true;
    this.#track = fanOut.views.enter(this.#key, track);
    stream.onClose(() => fanOut.views.leave(this.#key));
  }

  async #restart(): Promise<void> {
    const { stream, logger } = this.#tail;
    this.#track = undefined;
    try {
      const { view, from } = await this.#shared.restart(this.#sent);
      // Its own until it is level: of a shared one the frames that it lacks may not be kept again.
      if (stream.isOpen) this.#follow(new ViewTrack(view, from), from);
    } catch (error) {
      logger.error({ err: error, session: this.#session }, "a view could not be begun again");
      stream.end("the log could not be read", CLOSE_CODES.internal);
    }
  }
}
