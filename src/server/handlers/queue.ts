import { ANSWER_BYTES, encodePage } from "../answer-page.ts";
import { callerOf } from "../caller.ts";
import type { Handlers } from "../mount.ts";
import { promptParts } from "../prompt-parts.ts";
import { sendList } from "../send-json.ts";
import type { HandlerDependencies } from "./index.ts";

type QueueHandlers = Pick<Handlers, "listQueue" | "changeQueued" | "withdrawQueued">;

export function queueHandlers({ engine, roots, slices }: HandlerDependencies): QueueHandlers {
  return {
    async listQueue({ params, query }, context) {
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
      const queue = await engine.queue(params.id, ANSWER_BYTES, after);
      const { items, isCut } = await encodePage(queue, slices);
      const cursor = isCut ? encodeCursor(queue[items.length - 1]!.message) : undefined;
      return sendList(context, "queue", items, { hasMore: isCut, cursor });
    },

    async changeQueued({ params, body }, context) {
      const parts = await promptParts(body, roots, params.id);
      const changed = await engine.changeQueued(params.id, params.message, parts, callerOf(context));
      return { status: 200, body: changed };
    },

    async withdrawQueued({ params }, context) {
      await engine.withdrawQueued(params.id, params.message, callerOf(context));
      return { status: 204 };
    },
  };
}

/** A prompt keeps its place as long as it waits. */
function encodeCursor(message: string): string {
  return Buffer.from(message).toString("base64url");
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString();
}
