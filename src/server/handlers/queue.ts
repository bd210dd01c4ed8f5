import { ANSWER_BYTES, encodePage } from "../answers/answer-page.ts";
import { sendList } from "../answers/send-json.ts";
import { promptParts } from "../bodies/prompt-parts.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type QueueHandlers = Pick<Handlers, "listQueue" | "changeQueued">;

export function queueHandlers({ engine, files, slices }: HandlerDependencies): QueueHandlers {
  return {
    async listQueue({ params, query }, context) {
      const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor);
      const queue = await engine.run(
        "listQueue",
        { session: params.id, maxBytes: ANSWER_BYTES, after },
        callerOf(context),
      );
      const { items, isCut } = await encodePage(queue, slices);
      const cursor = isCut ? encodeCursor(queue[items.length - 1]!.message) : undefined;
      const { queueHeld: held } = await engine.run("getSession", { session: params.id }, callerOf(context));
      return sendList(context, "queue", items, { hasMore: isCut, cursor, held });
    },

    async changeQueued({ params, body }, context) {
      const { before } = body;
      if (before !== undefined) {
        const moved = await engine.run(
          "moveQueued",
          { session: params.id, message: params.message, before },
          callerOf(context),
        );
        return { status: 200, body: moved };
      }
      const parts = await promptParts(body, files, params.id);
      const changed = await engine.run(
        "changeQueued",
        { session: params.id, message: params.message, parts },
        callerOf(context),
      );
      return { status: 200, body: changed };
    },
  };
}

/** A prompt that was moved may come twice, or in no page: clients that read several know prompts by their ids. */
function encodeCursor(message: string): string {
  return Buffer.from(message).toString("base64url");
}

function decodeCursor(cursor: string): string {
  return Buffer.from(cursor, "base64url").toString();
}
