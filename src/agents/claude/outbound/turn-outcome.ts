/** How a turn ended. Whether it failed is not in the kind of a result but in its `is_error`. */
import type { TurnError, TurnOutcome } from "../../../core/event.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { ResultLine } from "../wire.ts";

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error?: TurnError;
}

/** What Claude Code writes about itself for its developers. */
const DIAGNOSTIC = "[ede_diagnostic]";

/** Its names of failures in words that all agents share. */
const CODES: Readonly<Record<string, string>> = {
  authentication_failed: "authentication_failed",
  authentication_error: "authentication_failed",
  oauth_org_not_allowed: "authentication_failed",
  billing_error: "billing",
  rate_limit: "rate_limited",
  overloaded: "overloaded",
  invalid_request: "invalid_request",
  model_not_found: "model_not_found",
  max_output_tokens: "max_output_tokens",
};

const CODES_BY_STATUS: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "authentication_failed",
  403: "authentication_failed",
  404: "model_not_found",
  429: "rate_limited",
  529: "overloaded",
};

export function turnEnd(line: ResultLine, failure: ClaudeState["failure"]): TurnEnd {
  if (!line.is_error) return { outcome: "completed" };
  if (line.terminal_reason?.startsWith("aborted")) return { outcome: "interrupted" };
  const message = messageOf(line, failure);
  if (line.stop_reason === "refusal") return { outcome: "refused", error: { code: "refusal", message } };
  if (line.subtype.startsWith("error_max_")) {
    return { outcome: "limit", error: { code: line.subtype.slice("error_".length), message } };
  }
  if (line.terminal_reason === "prompt_too_long") {
    return { outcome: "limit", error: { code: "prompt_too_long", message } };
  }
  const code = codeOf(line, failure, message);
  if (code === "max_output_tokens") return { outcome: "limit", error: { code, message } };
  return { outcome: "failed", error: { code, message } };
}

/** For people: what Claude Code says about it, and what to do where it does not say. */
function messageOf(line: ResultLine, failure: ClaudeState["failure"]): string {
  const errors = line.errors?.filter((error) => !error.startsWith(DIAGNOSTIC)).join(" ");
  const text = line.result || errors || failure?.text || "Claude Code could not finish the turn.";
  if (failure?.code === "authentication_failed") {
    return `Claude Code is not signed in: ${text}. Check ANTHROPIC_API_KEY, or sign in with \`claude auth login\` (\`interlingua doctor\` names the program).`;
  }
  // Then it begins with a status and says no more about it.
  return text.replace(/^API Error: (?=\d)/, "The model's service answered: ").replace(/^API Error: /, "");
}

function codeOf(line: ResultLine, failure: ClaudeState["failure"], message: string): string {
  const named = failure && CODES[failure.code];
  if (named !== undefined) return named;
  const status = line.api_error_status ?? undefined;
  const byStatus = status === undefined ? undefined : CODES_BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  // Some versions tell it in the text only.
  if (message.includes("529 Overloaded")) return "overloaded";
  if (message.startsWith("No conversation found")) return "conversation_not_found";
  return failure ? "api_error" : "execution_failed";
}
