import { ANSWER_BYTES, encodePage } from "../answer-page.ts";
import type { Handlers } from "../mount.ts";
import { promptParts } from "../prompt-parts.ts";
import { sendList } from "../send-json.ts";
import type { HandlerDependencies } from "./index.ts";

type QueueHandlers = Pick<Handlers, "listQueue" | "changeQueued" | "withdrawQueued">;

export function queueHandlers({ engine, roots, slices }: HandlerDependencies): QueueHandlers {
  return {
    async listQueue({ params }, context) {
      const { items, isCut } = await encodePage(await engine.queue(params.id, ANSWER_BYTES), slices);
      return sendList(context, "queue", items, { hasMore: isCut });
    },

    async changeQueued({ params, body }) {
      const parts = await promptParts(body, roots);
      return { status: 200, body: await engine.changeQueued(params.id, params.message, parts) };
    },

    async withdrawQueued({ params }) {
      await engine.withdrawQueued(params.id, params.message);
      return { status: 204 };
    },
  };
}
