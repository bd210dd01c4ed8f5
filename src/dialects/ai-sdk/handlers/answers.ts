/** Sends the answers of a posted message to the asks that are still open. */
import { InterlinguaError } from "../../../core/error.ts";
import type { Principal } from "../../../core/principal.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { AskView } from "../../../protocol/commands/command-types.ts";
import type { GivenAnswer } from "../inbound/answers.ts";

/**
 * Returns the ask that was answered last. Only answers to open asks count. If none is open, the others are tried, since
 * an answer equal to the first is accepted. Throws the first refusal.
 */
export async function giveAnswers(
  engine: Pick<Engine, "run">,
  session: string,
  answers: readonly GivenAnswer[],
  by: Principal,
): Promise<AskView> {
  const { asks } = await engine.run("listAsks", { session }, by);
  const open = new Map(asks.map((view) => [view.ask, view]));
  const toOpen = answers.filter(({ ask }) => open.has(ask));
  const tried = toOpen.length > 0 ? toOpen : latest(answers);
  let answered: AskView | undefined;
  let refusal: unknown;
  for (const { ask, say } of tried) {
    try {
      answered = await engine.run("replyToAsk", { ...say(open.get(ask)?.questions ?? []), session, ask }, by);
    } catch (error) {
      if (!isTooLate(error)) throw error;
      refusal ??= error;
    }
  }
  if (answered) return answered;
  throw refusal;
}

/** What was asked in earlier steps has been settled long ago. */
function latest(answers: readonly GivenAnswer[]): readonly GivenAnswer[] {
  const last = answers.filter(({ isLatest }) => isLatest);
  return last.length > 0 ? last : answers;
}

function isTooLate(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && (error.code === "ask_answered" || error.code === "ask_closed");
}
