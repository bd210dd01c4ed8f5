/** Commands on what waits for a person. */
import { answerRight } from "../../core/rights.ts";
import type { AskQuery } from "../../core/store.ts";
import * as routes from "../routes/asks.ts";
import type { AskReply, AskView } from "./command-types.ts";
import { COMMIT_MS, defineCommand, readsHere } from "./define-command.ts";

export interface ReplyInput extends AskReply {
  session: string;
  ask: string;
  /** Limits the reply to asks of this kind: any other is `ask_not_found`. */
  kind?: "permission" | "question";
}

export const askCommands = {
  /** Open asks of one session or of all, page by page. They are in the store, for all nodes. */
  listAsks: defineCommand<AskQuery, { asks: AskView[]; cursor?: string }>(readsHere("session.read")),
  replyToAsk: defineCommand<ReplyInput, AskView, typeof routes.replyToAsk>({
    route: routes.replyToAsk,
    // By the kind of the ask.
    rights: "rule",
    audit: ({ session, ask }, { kind }) => ({ action: answerRight(kind), session, detail: ask }),
    // An equal answer succeeds again.
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
};
