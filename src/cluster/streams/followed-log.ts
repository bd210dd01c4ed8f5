/**
 * Where the readers of one session on this node are: makes of frames that may be lost, late or doubled what is given to them.
 * A gap is not closed here: whoever gets events after a gap reads the store. Pure.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";

const NONE: readonly EncodedEvent[] = [];

export class FollowedLog {
  #cursor: number | undefined;

  /** The last event that was given; undefined while none was. */
  get cursor(): number | undefined {
    return this.#cursor;
  }

  /** What of consecutive, committed events is to be given. */
  take(events: readonly EncodedEvent[]): readonly EncodedEvent[] {
    const last = events.at(-1)?.seq;
    if (last === undefined) return NONE;
    const cursor = this.#cursor ?? 0;
    if (last <= cursor) return NONE;
    this.#cursor = last;
    const first = events[0]!.seq;
    return first > cursor ? events : events.slice(cursor - first + 1);
  }
}
