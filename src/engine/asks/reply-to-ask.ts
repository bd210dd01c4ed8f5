/** Takes an answer to an ask of any state: one that is open, one that was answered before, one that is over. */
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf } from "../../core/event.ts";
import type { Principal } from "../../core/principal.ts";
import type { Store } from "../../core/store.ts";
import type { AskReply, AskView } from "../../protocol/commands/command-types.ts";
import { askNotFound } from "../../protocol/refusals.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { answerFor, isSameAnswer } from "./ask-answer.ts";
import { alreadyAnswered } from "./ask-responder.ts";
import { askView } from "./ask-view.ts";
import { assertMayChoose, assertMayGive, commandIn } from "./asking-checks.ts";
import { withChangedInput } from "./changed-input.ts";

export interface ReplyToAsk {
  ask: string;
  reply: AskReply;
  by: Principal;
  /** The expected kind; any when absent. A plan counts as either. */
  kind?: "permission" | "question";
}

export async function replyToAsk(
  store: Store,
  actor: SessionActor,
  { ask, reply, by, kind }: ReplyToAsk,
): Promise<AskView> {
  const session = actor.state.id;
  await actor.log.flush();
  const asked = await findAsk(store, session, ask);
  if (kind !== undefined && asked.kind !== kind && asked.kind !== "plan") {
    throw new InterlinguaError(
      "ask_not_found",
      `Ask "${ask}" is a ${asked.kind}. Use /asks/${ask}/reply for any kind.`,
    );
  }
  const changed = await withChangedInput(store, actor.asks.mask, asked, reply);
  assertMayAnswer(actor, ask, changed, by);
  if (await actor.asks.reply(ask, changed, by.name)) return findAsk(store, session, ask);
  return repeatedReply(store, actor, ask, changed);
}

/**
 * Throws `forbidden` for an option that switches to a mode, or changes a setting, which the caller may not choose, and for words
 * that are a command which the caller may not give: some agents get them like a prompt.
 */
function assertMayAnswer(actor: SessionActor, ask: string, reply: AskReply, { access }: Principal): void {
  const open = actor.state.asks.get(ask);
  if (!open || open.answered) return;
  const { option: chosen } = answerFor(open.opened, reply);
  const option = open.opened.options.find(({ id }) => id === chosen);
  if (option) assertMayChoose(access, actor, option);
  const { message } = reply;
  if (message) assertMayGive(access, commandIn(actor, [{ type: "text", text: message }]), "message");
}

/** An answer to a closed ask: equal to the one that won, or too late. */
async function repeatedReply(
  store: Store,
  actor: SessionActor,
  ask: string,
  reply: AskReply,
): Promise<AskView> {
  const session = actor.state.id;
  const row = await store.getAsk(session, ask);
  const winner = row?.answered && (JSON.parse(row.answered) as EventOf<"ask.answered">);
  if (!row || !winner || winner.expired) {
    const outcome = row?.outcome ?? "expired";
    throw new InterlinguaError("ask_closed", `Ask "${ask}" is closed (${outcome}); nothing was changed.`);
  }
  const answer = actor.asks.storedAnswer(JSON.parse(row.opened) as EventOf<"ask.opened">, reply);
  if (isSameAnswer(winner, answer)) return askView(session, row);
  throw alreadyAnswered(winner);
}

async function findAsk(store: Store, session: string, ask: string): Promise<AskView> {
  const row = await store.getAsk(session, ask);
  if (row) return askView(session, row);
  throw askNotFound(ask);
}
