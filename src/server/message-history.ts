/** Messages as records: as they were stored, or folded again from the log where no record is stored. */
import type { EventOf, SessionEvent } from "../core/event.ts";
import { foldMessages } from "../core/fold-messages.ts";
import { MessageIndex } from "../core/message-index.ts";
import type { MessageRecord } from "../core/message-record.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { MessageRow, Store } from "../core/store.ts";

const PAGE_EVENTS = 1000;
const PAGE_BYTES = 1024 * 1024;

type LogStore = Pick<Store, "readEvents">;

export async function recordOf(store: LogStore, session: string, row: MessageRow): Promise<MessageRecord> {
  if (row.record) return row.record;
  const events = await eventsOf(store, session, row);
  // A prompt that still waits is not part of the conversation, so the fold does not know it.
  if (row.role === "user") return promptRecord(row, events);
  const record = foldMessages(events).find(({ id }) => id === row.id);
  return record ?? { id: row.id, role: row.role, at: 0 };
}

/** The events of one message, in order. */
export async function eventsOf(store: LogStore, session: string, row: MessageRow): Promise<SessionEvent[]> {
  const index = new MessageIndex();
  const events: SessionEvent[] = [];
  // One that is being written may be further than its row says.
  const end = row.state === "streaming" ? Number.POSITIVE_INFINITY : row.lastSeq;
  for await (const event of readLog(store, session, row.firstSeq - 1, end))
    if (index.messageOf(event) === row.id) events.push(event);
  return events;
}

/** The event that ended a turn; undefined while it runs. */
export async function endOfTurn(
  store: LogStore,
  session: string,
  turn: string,
  after: number,
): Promise<EventOf<"turn.ended"> | undefined> {
  for await (const event of readLog(store, session, after, Number.POSITIVE_INFINITY))
    if (event.type === "turn.ended" && event.turn === turn) return event;
  return undefined;
}

async function* readLog(
  store: LogStore,
  session: string,
  after: number,
  end: number,
): AsyncGenerator<SessionEvent> {
  let cursor = after;
  while (cursor < end) {
    const { events } = await store.readEvents(
      session,
      cursor,
      Math.min(PAGE_EVENTS, end - cursor),
      PAGE_BYTES,
    );
    for (const { json } of events) yield JSON.parse(json);
    const last = events.at(-1);
    if (!last) return;
    cursor = last.seq;
  }
}

function promptRecord(row: MessageRow, events: readonly SessionEvent[]): MessageRecord {
  let parts: PromptPart[] = [];
  for (const event of events)
    if (event.type === "prompt.accepted" || event.type === "prompt.changed") parts = event.parts;
  return { id: row.id, role: "user", at: events[0]?.at ?? 0, turn: row.turn, parts };
}
