/** Reads the messages of a conversation from the newest to the oldest, the one that is being written included. */
import type { MessageRecord } from "../../../core/message-record.ts";
import type { MessageRow } from "../../../core/store.ts";
import type { DialectServices } from "../../dialect.ts";

/** How many messages with their content are read at once; at most `Pages.maxBytes` of them. */
const PAGE_MESSAGES = 20;
const PAGE_ROWS = 1000;

export type Conversations = Pick<DialectServices, "store" | "history" | "pages">;

/** @param before The id of a message: those before it. */
export async function* readMessages(
  { store, history, pages }: Conversations,
  session: string,
  before?: string,
): AsyncGenerator<{ row: MessageRow; record: MessageRecord }> {
  for (let end = before; ; ) {
    const query = { limit: PAGE_MESSAGES, before: end, maxBytes: pages.maxBytes };
    const { messages, hasMore } = await store.listMessages(session, query);
    for (const row of messages.toReversed()) yield { row, record: await history.recordOf(session, row) };
    end = messages[0]?.id;
    if (!hasMore || end === undefined) return;
  }
}

/** The oldest message that begins at this seq or later, found without the content of any. Undefined if none does. */
export async function findMessageFrom(
  { store }: Pick<Conversations, "store">,
  session: string,
  seq: number,
): Promise<string | undefined> {
  let found: string | undefined;
  for (;;) {
    const query = { limit: PAGE_ROWS, before: found, withoutRecords: true };
    const { messages, hasMore } = await store.listMessages(session, query);
    const first = messages.find((row) => positionOf(row) >= seq);
    if (!first) return found;
    found = first.id;
    if (first !== messages[0] || !hasMore) return found;
  }
}

/** The seq at which a message entered the conversation. */
export function positionOf({ position, firstSeq }: MessageRow): number {
  return position ?? firstSeq;
}
