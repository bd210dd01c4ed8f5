/** What a consumer wants → the command an agent gets. Pure. */
import { type AskOption, DECLINE, rejectingOption } from "../core/ask.ts";
import type { Command } from "../core/command.ts";
import type { UnifiedReply, UnifiedRequest } from "./read-unified-request.ts";

/** The open ask a reply is for. */
export interface RepliedAsk {
  /** The agent's own id of it. */
  native: string;
  options: readonly AskOption[];
  /** Whether it takes another input. */
  editable?: true;
  questions?: readonly { id: string; options?: readonly { label: string; value?: string }[] }[];
}

/**
 * Undefined for what is no command: an unknown or invalid message, and a reply without its ask or to something the ask does
 * not offer.
 *
 * @example
 * toCommand({ type: "interrupt" }); // => { type: "interrupt" }
 */
export function toCommand(request: UnifiedRequest, ask?: RepliedAsk): Command | undefined {
  switch (request.type) {
    case "prompt": {
      const { message, parts, whenBusy } = request;
      return { type: "prompt", message, parts, ...(whenBusy === "steer" && { steer: true }) };
    }
    case "interrupt":
    case "configure":
      return request;
    case "reply":
      return ask && toReply(request, ask);
    default:
      return undefined;
  }
}

function toReply(request: UnifiedReply, ask: RepliedAsk): Command | undefined {
  const { native, options, questions, editable } = ask;
  const { answers, message, input } = request;
  // It would not be run.
  if (input !== undefined && !editable) return undefined;
  const rest = { ...(message !== undefined && { message }), ...(input !== undefined && { input }) };
  if (answers !== undefined) return { type: "reply", ask: native, answers, ...rest };
  const chosen = optionFor(request, options);
  if (chosen) return { type: "reply", ask: native, option: chosen.id, effect: chosen.effect, ...rest };
  if (request.option !== undefined) return undefined;
  // A question has no option to decline it with.
  if (request.reply === "reject")
    return { type: "reply", ask: native, option: DECLINE, effect: "reject", ...rest };
  // A text that answers the only question.
  const [question] = questions ?? [];
  if (!question || questions?.length !== 1 || message === undefined) return undefined;
  return { type: "reply", ask: native, answers: { [question.id]: [message] } };
}

function optionFor({ option, reply }: UnifiedReply, options: readonly AskOption[]): AskOption | undefined {
  if (option !== undefined) return options.find(({ id }) => id === option);
  if (reply === "reject") return rejectingOption(options);
  return options.find(({ effect }) => effect === reply);
}
