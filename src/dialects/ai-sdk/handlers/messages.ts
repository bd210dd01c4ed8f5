/** The conversation as UIMessages, for clients that begin with a history. */
import type { MessageRow, SessionRow } from "../../../core/store.ts";
import { messageNotFound, sessionNotFound } from "../../../protocol/refusals.ts";
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import type * as routes from "../routes.ts";
import { messageChunks, toUIMessage } from "../to-ui-message.ts";

type MessageHandlers = Pick<DialectHandlers<typeof routes>, "listChatMessages" | "getChatMessage">;

export function messageHandlers({ store, history, pages }: DialectServices): MessageHandlers {
  async function sessionOf(id: string): Promise<SessionRow> {
    const session = await store.getSession(id);
    if (session) return session;
    throw sessionNotFound(id);
  }

  return {
    async listChatMessages({ params, query }, call) {
      const session = await sessionOf(params.id);
      const { rows, hasMore } = await history.shown(params.id, query);
      // Newest first, so that what does not fit is older.
      const { items, isCut } = await pages.encode(answerableLast(rows).reverse(), async (row) => {
        const record = await history.recordOf(params.id, row);
        return JSON.stringify(toUIMessage(record, { session, toolParts: query.toolParts }));
      });
      return call.answerList("messages", items.reverse(), { hasMore: hasMore || isCut });
    },

    async getChatMessage({ params, query }, call) {
      const session = await sessionOf(params.id);
      const row = await store.getMessage(params.id, params.message);
      if (!row) throw messageNotFound(params.message);
      const record = await history.recordOf(params.id, row);
      const options = { session, toolParts: query.toolParts };
      const message = JSON.stringify(toUIMessage(record, options));
      if (!query.include.includes("chunks")) return call.answerJson(200, [`{"message":${message}}`]);
      const chunks = messageChunks(record, options);
      const { items } = await pages.encode(chunks, JSON.stringify, Number.POSITIVE_INFINITY);
      return call.answerJson(200, [`{"message":${message},"chunks":[`, items.join(","), "]}"]);
    },
  };
}

/**
 * A stock client answers asks of the last message only, so one that waits for a person stands behind prompts that its turn
 * was given and has not taken up.
 */
function answerableLast(rows: readonly MessageRow[]): MessageRow[] {
  return [...rows.filter(({ state }) => state === "done"), ...rows.filter(({ state }) => state !== "done")];
}
