import { ANSWER_BYTES, encodeAll } from "../answers/answer-page.ts";
import { sendList } from "../answers/send-json.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type AskHandlers = Pick<Handlers, "listAsks" | "replyToPermission" | "replyToQuestion" | "rejectQuestion">;

export function askHandlers({ engine, slices }: HandlerDependencies): AskHandlers {
  return {
    async listAsks({ query }, context) {
      const { asks, cursor } = await engine.run(
        "listAsks",
        { ...query, maxBytes: ANSWER_BYTES },
        callerOf(context),
      );
      const items = await encodeAll(asks, slices);
      return sendList(context, "asks", items, { hasMore: cursor !== undefined, cursor });
    },

    async replyToPermission({ params, body }, context) {
      return {
        status: 200,
        body: await engine.run(
          "replyToAsk",
          { ...body, session: params.id, ask: params.ask, kind: "permission" },
          callerOf(context),
        ),
      };
    },

    async replyToQuestion({ params, body }, context) {
      return {
        status: 200,
        body: await engine.run(
          "replyToAsk",
          { ...body, session: params.id, ask: params.ask, kind: "question" },
          callerOf(context),
        ),
      };
    },

    async rejectQuestion({ params, body }, context) {
      const reply = { ...body, reply: "reject" } as const;
      return {
        status: 200,
        body: await engine.run(
          "replyToAsk",
          { ...reply, session: params.id, ask: params.ask, kind: "question" },
          callerOf(context),
        ),
      };
    },
  };
}
