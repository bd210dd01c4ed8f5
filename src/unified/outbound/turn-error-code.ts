/** Why a turn did not end well, in the ten codes of the protocol. Pure. */
import type { EventOf } from "../../core/event.ts";
import type { UnifiedErrorCode } from "../unified-message.ts";

/** Codes of ours, and those of agents that mean one thing. */
const CODES: Readonly<Record<string, UnifiedErrorCode>> = {
  agent_not_signed_in: "provider_auth",
  authentication_failed: "provider_auth",
  provider_auth: "provider_auth",
  rate_limited: "rate_limit",
  rate_limit: "rate_limit",
  overloaded: "api_error",
  api_error: "api_error",
  model_error: "api_error",
  request_failed: "api_error",
  context_full: "context_overflow",
  context_overflow: "context_overflow",
  output_length: "output_length",
  max_tokens: "output_length",
  aborted: "aborted",
  max_turns: "max_turns",
  max_budget: "max_budget",
};

/** Names that agents have for limits, whatever they put around them. */
const WORDS: readonly (readonly [RegExp, UnifiedErrorCode])[] = [
  [/max[-_ ]?(turn|step|turn_request)s?|too many (turns|steps)/i, "max_turns"],
  [/budget/i, "max_budget"],
  [/max[-_ ]?(output[-_ ]?)?tokens?|output[-_ ]?(length|limit)|length/i, "output_length"],
];

/** Undefined where the turn did what it was asked for. */
export function unifiedErrorCode({ outcome, error }: EventOf<"turn.ended">): UnifiedErrorCode | undefined {
  if (outcome === "completed") return undefined;
  if (outcome === "interrupted") return "aborted";
  const known = error && Object.hasOwn(CODES, error.code) ? CODES[error.code] : undefined;
  if (known) return known;
  if (outcome === "limit") {
    const told = error ? `${error.code} ${error.message}` : "";
    return WORDS.find(([words]) => words.test(told))?.[1] ?? "max_turns";
  }
  return outcome === "failed" && error ? "execution_error" : "unknown";
}
