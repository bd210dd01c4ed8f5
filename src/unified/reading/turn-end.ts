/** `result` → how a turn ended, and what it used. Pure. */
import type { Draft } from "../../core/draft.ts";
import type { TurnOutcome } from "../../core/event.ts";
import { isRecord } from "../../core/is-record.ts";
import type { TokenUsage } from "../../core/usage.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { UnifiedMessage } from "../unified-message.ts";
import { type Metadata, numberIn, ownIn, recordIn, textIn, textsIn } from "./metadata.ts";

type TurnEnded = Extract<Draft, { type: "turn.ended" }>;

const OUTCOMES: ReadonlySet<unknown> = new Set(["completed", "interrupted", "failed", "refused", "limit"]);
const LIMITS = ["context_overflow", "output_length", "max_turns", "max_budget"];

/** Codes of the protocol that have a name of their own with us. */
const CODES: Readonly<Record<string, string>> = {
  provider_auth: "authentication_failed",
  rate_limit: "rate_limited",
  context_overflow: "context_full",
};

export function turnEnd({ metadata, content }: UnifiedMessage): TurnEnded {
  const hasRefusal = content.some(({ type }) => type === "refusal");
  const outcome = outcomeOf(metadata, hasRefusal);
  const error = outcome === "completed" ? undefined : errorOf(metadata);
  return { type: "turn.ended", outcome, ...(error && { error }) };
}

function outcomeOf(metadata: Metadata, hasRefusal: boolean): TurnOutcome {
  const told = ownIn(metadata, "outcome");
  if (OUTCOMES.has(told)) return told as TurnOutcome;
  const code = textIn(metadata, "error_code");
  if (code === "aborted") return "interrupted";
  if (code !== undefined && LIMITS.includes(code)) return "limit";
  if (hasRefusal) return "refused";
  if (code !== undefined || metadata.is_error === true) return "failed";
  const subtype = textIn(metadata, "subtype");
  if (subtype === "error_max_turns" || subtype === "error_max_budget_usd") return "limit";
  return subtype?.startsWith("error") ? "failed" : "completed";
}

function errorOf(metadata: Metadata): TurnEnded["error"] {
  const message = textIn(metadata, "error_message", "error") ?? textsIn(metadata, "errors")[0];
  const unified = textIn(metadata, "error_code");
  const known = unified !== undefined && Object.hasOwn(CODES, unified) ? CODES[unified] : undefined;
  const code = textIn(metadata, "native_error_code") ?? known ?? unified ?? textIn(metadata, "subtype");
  if (message === undefined) return undefined;
  return { code: code ?? "agent_error", message };
}

/** Token counts and money, under our names and under those that adapters of this protocol use. */
export function usageIn(metadata: Metadata): TokenUsage & { cost?: number } {
  const usage = recordIn(metadata, "usage") ?? recordIn(metadata, "tokens") ?? {};
  return withoutUndefined({
    input: numberIn(usage, "input_tokens", "input"),
    output: numberIn(usage, "output_tokens", "output"),
    reasoning: numberIn(usage, "reasoning_tokens", "reasoning"),
    cacheRead: numberIn(usage, "cache_read_input_tokens"),
    cacheWrite: numberIn(usage, "cache_creation_input_tokens"),
    cost: numberIn(metadata, "cost", "cost_usd"),
  });
}

/** What a sum has beyond what was told before: an agent may tell its usage on the way, at the end, or both. */
export function usageBeyond(
  sum: TokenUsage & { cost?: number },
  told: TokenUsage & { cost?: number },
): (TokenUsage & { cost?: number }) | undefined {
  const beyond: Record<string, number> = {};
  for (const [name, value] of Object.entries(sum)) {
    const more = Number((value - (told[name as keyof TokenUsage] ?? 0)).toFixed(9));
    if (more > 0) beyond[name] = more;
  }
  return Object.keys(beyond).length === 0 ? undefined : beyond;
}

/** How full the context window is. */
export function contextIn(metadata: Metadata): { used: number; size?: number } | undefined {
  const context = ownIn(metadata, "context");
  const used = isRecord(context) ? numberIn(context, "used") : undefined;
  if (!isRecord(context) || used === undefined) return undefined;
  return withoutUndefined({ used, size: numberIn(context, "size") });
}
