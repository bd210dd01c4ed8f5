/** Finds where the turn began that was open after an event, for views that need to know what came earlier in it. */
import { eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";

/** Nearly all events of a turn name it, so that a few tell. */
const FIRST_SPAN = 32;
const SPAN_FACTOR = 4;
const PAGE_BYTES = 256 * 1024;

interface Log {
  store: Pick<Store, "readEvents">;
  slices: TimeSlices;
}

/** The seq before its `turn.started`; `after` itself if none was open. */
export async function findOpenTurn(log: Log, session: string, after: number): Promise<number> {
  let span = FIRST_SPAN;
  for (let end = after; end > 0; ) {
    const begin = Math.max(0, end - span);
    const last = await lastOfTurn(log, session, begin, end);
    // The id of a turn has the seq of its first event.
    if (last) return last.type === "turn.ended" ? after : Number(last.turn!.slice(1)) - 1;
    end = begin;
    span *= SPAN_FACTOR;
  }
  return after;
}

/** The last event between the two that names a turn. */
async function lastOfTurn(
  { store, slices }: Log,
  session: string,
  begin: number,
  end: number,
): Promise<SessionEvent | undefined> {
  let found: SessionEvent | undefined;
  for (let cursor = begin; cursor < end; ) {
    const { events } = await store.readEvents(session, cursor, end - cursor, PAGE_BYTES);
    if (events.length === 0) return found;
    for (const encoded of events) {
      const event = eventOf(encoded);
      if (event.turn !== undefined) found = event;
    }
    cursor = events.at(-1)!.seq;
    await slices.pause();
  }
  return found;
}
