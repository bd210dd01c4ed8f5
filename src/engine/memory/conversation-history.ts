/** The conversation of a session, newest message first, read from the store as it is asked for. */
import { foldRecord } from "../../core/fold-record.ts";
import type { Message } from "../../core/message.ts";
import { readLog } from "../../core/read-log.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Store } from "../../core/store.ts";
import { toMessage } from "../../core/to-message.ts";

const PAGE_MESSAGES = 20;
const PAGE_BYTES = 1024 * 1024;

/** What was rewound or still waits is not part of it. */
export async function* conversationHistory(
  store: Pick<Store, "listMessages" | "readEvents">,
  { id: session, agent }: Pick<SessionState, "id" | "agent">,
): AsyncGenerator<Message, void> {
  let before: string | undefined;
  for (;;) {
    const query = { limit: PAGE_MESSAGES, maxBytes: PAGE_BYTES, before };
    const { messages: rows, hasMore } = await store.listMessages(session, query);
    for (const row of rows.toReversed()) {
      const { firstSeq, lastSeq } = row;
      const events = readLog(store, session, firstSeq - 1, lastSeq);
      const record = row.record ?? (await foldRecord(row, events)).record;
      yield toMessage(record, { session, agent, firstSeq, lastSeq });
    }
    before = rows[0]?.id;
    if (!hasMore || before === undefined) return;
  }
}
