/** Finds an entry of the log with all events that came from the same raw record, and where the one before it ended. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { Store } from "../../core/store.ts";
import { cursorBeyondEnd, sessionNotFound } from "../../protocol/refusals.ts";
import { ANSWER_BYTES } from "../answers/answer-page.ts";

/** A record rarely makes more; then those around the entry are shown. */
const MAX_BEFORE = 200;
const MAX_AFTER = 200;

export interface LogEntry {
  readonly seq: number;
  readonly head: number;
  /** Absent for what people and the daemon did. */
  readonly raw?: number;
  /** Consecutive; never empty. */
  readonly events: readonly EncodedEvent[];
  /** The last raw record that an event before came from; 0 where there is none, or none is near. */
  readonly rawBefore: number;
}

/** Without a `seq` the newest. Throws for an unknown session and for a seq that is not there yet. */
export async function findEntry(
  store: Pick<Store, "readEvents" | "getSession">,
  session: string,
  wanted: number | undefined,
): Promise<LogEntry> {
  const row = await store.getSession(session);
  if (!row) throw sessionNotFound(session);
  const seq = wanted ?? row.head;
  if (seq > row.head) throw cursorBeyondEnd(session, seq, row.head);
  const begin = Math.max(0, seq - 1 - MAX_BEFORE);
  const events = await readBetween(store, session, begin, Math.min(row.head, seq + MAX_AFTER));
  const at = events.findIndex((event) => event.seq === seq);
  if (at < 0) throw sessionNotFound(session);
  const { raw } = eventOf(events[at]!);
  let [first, last] = [at, at];
  const isOfRecord = (index: number) =>
    raw !== undefined && events[index] && eventOf(events[index]).raw === raw;
  while (isOfRecord(first - 1)) first -= 1;
  while (isOfRecord(last + 1)) last += 1;
  const before = events.slice(0, first).findLast((event) => eventOf(event).raw !== undefined);
  return {
    seq,
    head: row.head,
    raw,
    events: events.slice(first, last + 1),
    rawBefore: (before && eventOf(before).raw) ?? (begin === 0 ? 0 : (raw ?? 1) - 1),
  };
}

async function readBetween(
  store: Pick<Store, "readEvents">,
  session: string,
  after: number,
  last: number,
): Promise<EncodedEvent[]> {
  const found: EncodedEvent[] = [];
  for (let cursor = after; cursor < last; ) {
    const { events } = await store.readEvents(session, cursor, last - cursor, ANSWER_BYTES);
    if (events.length === 0) break;
    found.push(...events);
    cursor = events.at(-1)!.seq;
  }
  return found;
}
