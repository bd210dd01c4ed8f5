/** An answer to an ask → the request that carries it. */
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { OpenCodeState } from "../conversation-state.ts";
import { questionId } from "../outbound/ask.ts";
import type { Request } from "./lines.ts";

export function replyRequest({ questions }: OpenCodeState, reply: CommandOf<"reply">): Request {
  const { ask, option, effect, answers, message, input } = reply;
  if (input !== undefined) {
    throw new InterlinguaError(
      "unsupported",
      "OpenCode does not let the input of a tool be changed; answer without it.",
    );
  }
  const count = questions.get(ask);
  const word = option ?? effect;
  if (count === undefined) {
    const body = { reply: word, message };
    return { method: "POST", path: `/permission/${ask}/reply`, body };
  }
  if (!answers) return { method: "POST", path: `/question/${ask}/reject`, body: {} };
  // In the order of the questions, also those that were left open.
  const labels = Array.from({ length: count }, (_, index) => answers[questionId(index)] ?? []);
  return { method: "POST", path: `/question/${ask}/reply`, body: { answers: labels } };
}
