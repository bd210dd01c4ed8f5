/** How a turn ended. Whether it failed is not in the kind of a result but in its `is_error`. */
import type { TurnError, TurnOutcome } from "../../../core/event.ts";
import { type ModelFailureCode, modelFailure } from "../../transport/model-failure.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { CLAUDE } from "../program.ts";
import type { ResultLine } from "../wire.ts";

export interface TurnEnd {
  readonly outcome: TurnOutcome;
  readonly error?: TurnError;
}

/** What Claude Code writes about itself for its developers. */
const DIAGNOSTIC = "[ede_diagnostic]";

/** Its names of failures in words that all agents share. */
const FAILURES: Readonly<Record<string, ModelFailureCode>> = {
  authentication_failed: "authentication_failed",
  authentication_error: "authentication_failed",
  oauth_org_not_allowed: "authentication_failed",
  rate_limit: "rate_limited",
  overloaded: "overloaded",
};

/** Those that only it has. */
const CODES: Readonly<Record<string, string>> = {
  billing_error: "billing",
  invalid_request: "invalid_request",
  model_not_found: "model_not_found",
  max_output_tokens: "max_output_tokens",
};

const CODES_BY_STATUS: Readonly<Record<number, string>> = { 400: "invalid_request", 404: "model_not_found" };

export function turnEnd(line: ResultLine, failure: ClaudeState["failure"]): TurnEnd {
  if (!line.is_error) return { outcome: "completed" };
  if (line.terminal_reason?.startsWith("aborted")) return { outcome: "interrupted" };
  const message = messageOf(line, failure);
  if (line.stop_reason === "refusal") return { outcome: "refused", error: { code: "refusal", message } };
  if (line.subtype.startsWith("error_max_")) {
    return { outcome: "limit", error: { code: line.subtype.slice("error_".length), message } };
  }
  const isFull = line.terminal_reason === "prompt_too_long";
  const shared = modelFailure(
    {
      code: isFull ? "context_full" : sharedCode(failure, message),
      status: line.api_error_status ?? undefined,
      said: message,
    },
    CLAUDE,
  );
  if (shared) return { outcome: shared.code === "context_full" ? "limit" : "failed", error: shared };
  const code = codeOf(line, failure, message);
  return { outcome: code === "max_output_tokens" ? "limit" : "failed", error: { code, message } };
}

/** It has one name for credentials that were refused and for none at all. */
function sharedCode(failure: ClaudeState["failure"], message: string): ModelFailureCode | undefined {
  const code = failure && FAILURES[failure.code];
  return code === "authentication_failed" && NO_CREDENTIALS.test(message) ? "agent_not_signed_in" : code;
}

const NO_CREDENTIALS = /not logged in/i;

/** For people: what Claude Code says about it. */
function messageOf(line: ResultLine, failure: ClaudeState["failure"]): string {
  const errors = line.errors?.filter((error) => !error.startsWith(DIAGNOSTIC)).join(" ");
  const text = line.result || errors || failure?.text || "Claude Code could not finish the turn.";
  // Then it begins with a status and says no more about it.
  return text.replace(/^API Error: (?=\d)/, "The model's service answered: ").replace(/^API Error: /, "");
}

function codeOf(line: ResultLine, failure: ClaudeState["failure"], message: string): string {
  const named = failure && CODES[failure.code];
  if (named !== undefined) return named;
  const status = line.api_error_status ?? undefined;
  const byStatus = status === undefined ? undefined : CODES_BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (message.startsWith("No conversation found")) return "conversation_not_found";
  return failure ? "api_error" : "execution_failed";
}
