/** Reads the messages of a conversation from the newest to the oldest, the one that is being written included. */
import type { MessageRecord } from "../../../core/message-record.ts";
import type { MessageRow } from "../../../core/store.ts";
import type { DialectServices } from "../../dialect.ts";

const PAGE_MESSAGES = 50;

export async function* readMessages(
  { store, history, pages }: Pick<DialectServices, "store" | "history" | "pages">,
  session: string,
): AsyncGenerator<{ row: MessageRow; record: MessageRecord }> {
  let before: string | undefined;
  for (;;) {
    const query = { limit: PAGE_MESSAGES, before, maxBytes: pages.maxBytes };
    const { messages, hasMore } = await store.listMessages(session, query);
    for (const row of messages.toReversed()) yield { row, record: await history.recordOf(session, row) };
    before = messages[0]?.id;
    if (!hasMore || before === undefined) return;
  }
}
