/** Folds one message again from the log, where its record is not stored. */
import { type EncodedEvent, eventOf } from "./encoded-event.ts";
import type { EventOf, SessionEvent } from "./event.ts";
import { MessageFold } from "./fold-messages.ts";
import { MessageIndex } from "./message-index.ts";
import { MessageEvents, type MessageRecord } from "./message-record.ts";
import type { PromptPart } from "./prompt-part.ts";
import type { MessageRow } from "./store.ts";

export interface FoldedRecord {
  record: MessageRecord;
  /** Its approximate size, in characters. */
  length: number;
}

/** The seq of a message's last event. A streaming one may be further than its row says. */
export function endOfMessage(row: MessageRow): number {
  return row.state === "streaming" ? Number.POSITIVE_INFINITY : row.lastSeq;
}

/** `pages` are the events from the message's first to its last. */
export async function foldRecord(
  row: MessageRow,
  pages: AsyncIterable<readonly EncodedEvent[]>,
): Promise<FoldedRecord> {
  const index = new MessageIndex();
  const fold = new MessageFold();
  const prompt: SessionEvent[] = [];
  let length = 0;
  for await (const page of pages) {
    // Joined page by page: a text of a million pieces would keep all of them alive.
    const joined = new MessageEvents();
    for (const encoded of page) {
      const event = eventOf(encoded);
      const { json } = encoded;
      if (index.messageOf(event) !== row.id) continue;
      length += "delta" in event ? (event.delta?.length ?? 0) : json.length;
      joined.add(event);
    }
    for (const event of joined.all()) {
      // Flattens the string.
      if ("delta" in event) void event.delta?.charCodeAt(0);
      // A prompt that still waits is not part of the conversation, so the fold does not know it.
      if (row.role === "user") prompt.push(event);
      else fold.add(event);
    }
  }
  const record =
    row.role === "user" ? promptRecord(row, prompt) : fold.messages.find(({ id }) => id === row.id);
  return { record: record ?? { id: row.id, role: row.role, at: 0 }, length };
}

function promptRecord(row: MessageRow, events: readonly SessionEvent[]): MessageRecord {
  let parts: PromptPart[] = [];
  let by: string | undefined;
  let dispatched: EventOf<"prompt.dispatched"> | undefined;
  for (const event of events) {
    if (event.type === "prompt.accepted") by = event.by;
    if (event.type === "prompt.accepted" || event.type === "prompt.changed") parts = event.parts;
    if (event.type === "prompt.dispatched") dispatched = event;
    if (event.type === "prompt.returned") dispatched = undefined;
  }
  // It was said when the agent got it, not when it began to wait.
  const at = dispatched?.at ?? events[0]?.at ?? 0;
  return { id: row.id, role: "user", at, turn: row.turn, parts, by, checkpoint: dispatched?.checkpoint };
}
