/** A person's answer in the words of the request it answers. */
import { isRejection } from "../../../core/ask.ts";
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import { questionId, wireQuestions } from "../outbound/ask.ts";
import { suggestionId } from "../outbound/permission-options.ts";
import type { CanUseTool, PermissionResult, PermissionSuggestion, WireAsk } from "../wire.ts";
import { elicitationResult } from "./elicitation-result.ts";

type Reply = CommandOf<"reply">;

/** What the model is told when the person gave no reason. */
export const NO_REASON = "The user declined this.";

const ACCEPT_EDITS: PermissionSuggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };

export function replyResult(asked: WireAsk, reply: Reply): unknown {
  if (asked.subtype === "elicitation") return elicitationResult(asked, reply);
  if (isRefusal(reply)) return denial(reply);
  switch (asked.tool_name) {
    case "AskUserQuestion":
      return { behavior: "allow", updatedInput: { ...asked.input, answers: answersByText(asked, reply) } };
    case "ExitPlanMode":
      return approval(asked, reply);
    default:
      return permission(asked, reply);
  }
}

export function isRefusal({ option, effect }: Reply): boolean {
  return isRejection(effect) || option === "deny" || option === "deny-stop" || option === "reject";
}

function denial({ option, message = NO_REASON }: Reply): PermissionResult {
  return { behavior: "deny", message, ...(option === "deny-stop" && { interrupt: true }) };
}

/** It knows its questions by their text, and takes several answers as one. */
function answersByText({ input }: CanUseTool, { answers = {} }: Reply): Record<string, string> {
  return Object.fromEntries(
    wireQuestions(input).flatMap(({ question }, index) => {
      const given = answers[questionId(index)];
      return given ? [[question, given.join(", ")]] : [];
    }),
  );
}

function approval({ input }: CanUseTool, { option, effect }: Reply): PermissionResult {
  const acceptsEdits = option === "approve-accept-edits" || (option === undefined && effect === "always");
  return {
    behavior: "allow",
    updatedInput: input,
    ...(acceptsEdits && { updatedPermissions: [ACCEPT_EDITS] }),
  };
}

function permission(asked: CanUseTool, reply: Reply): PermissionResult {
  const { permission_suggestions: suggestions = [] } = asked;
  const { option, effect } = reply;
  const updatedInput = reply.input ?? asked.input;
  if (option === "allow" || (option === undefined && effect !== "always")) {
    return { behavior: "allow", updatedInput };
  }
  const chosen =
    option === undefined ? suggestions[0] : suggestions.find((_, index) => suggestionId(index) === option);
  if (chosen) return { behavior: "allow", updatedInput, updatedPermissions: [chosen] };
  throw new InterlinguaError("option_not_offered", `Claude Code did not offer "${option ?? effect}" here.`);
}
