import { ANSWER_BYTES, encodeAll } from "../answers/answer-page.ts";
import { sendList } from "../answers/send-json.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type AskHandlers = Pick<
  Handlers,
  "listAsks" | "replyToAsk" | "replyToPermission" | "replyToQuestion" | "rejectQuestion"
>;

export function askHandlers({ engine, slices }: HandlerDependencies): AskHandlers {
  return {
    async listAsks({ query }, context) {
      const { asks, cursor } = await engine.listAsks({ ...query, maxBytes: ANSWER_BYTES });
      const items = await encodeAll(asks, slices);
      return sendList(context, "asks", items, { hasMore: cursor !== undefined, cursor });
    },

    async replyToAsk({ params, body }, context) {
      return { status: 200, body: await engine.reply(params.id, params.ask, body, callerOf(context)) };
    },

    async replyToPermission({ params, body }, context) {
      return {
        status: 200,
        body: await engine.reply(params.id, params.ask, body, callerOf(context), "permission"),
      };
    },

    async replyToQuestion({ params, body }, context) {
      return {
        status: 200,
        body: await engine.reply(params.id, params.ask, body, callerOf(context), "question"),
      };
    },

    async rejectQuestion({ params, body }, context) {
      const reply = { ...body, reply: "reject" } as const;
      return {
        status: 200,
        body: await engine.reply(params.id, params.ask, reply, callerOf(context), "question"),
      };
    },
  };
}
