/** Usage totals as both stores on disk have them in their columns. */
import type { UsageIncrement, UsageRow } from "../../core/store.ts";
import { dropNulls } from "./drop-nulls.ts";

const TOKENS = ["input", "output", "reasoning", "cache_read", "cache_write"] as const;
const SUMS = [
  "cost_nano",
  "turns",
  "duration_ms",
  "tools",
  "asks",
  "allowed",
  "denied",
  "waited_ms",
] as const;

export const USAGE_COUNTS = [...TOKENS, ...SUMS] as const;

/** A count of tokens that nobody gave is null. Money is in whole nano-units, so that sums are exact. */
export type UsageCounts = Record<(typeof TOKENS)[number], number | null> &
  Record<(typeof SUMS)[number], number>;

const NANO = 1e9;

export function toUsageCounts(increment: UsageIncrement): UsageCounts {
  const { usage, turns, tools, asks, allowed, denied } = increment;
  return {
    input: usage.input ?? null,
    output: usage.output ?? null,
    reasoning: usage.reasoning ?? null,
    cache_read: usage.cacheRead ?? null,
    cache_write: usage.cacheWrite ?? null,
    cost_nano: Math.round(increment.cost * NANO),
    turns,
    duration_ms: increment.durationMs,
    tools,
    asks,
    allowed,
    denied,
    waited_ms: increment.waitedMs,
  };
}

/** A count that neither side has stays null. One that grows past what a number can hold stays at the largest. */
export function addCounts(stored: number | null, added: number | null): number | null {
  if (stored === null && added === null) return null;
  return Math.min((stored ?? 0) + (added ?? 0), Number.MAX_SAFE_INTEGER);
}

/** The usage of one day and model, which is empty where it is not known, with the session it is of. */
export type UsageColumns = UsageCounts & {
  key: string;
  agent: string;
  cwd: string;
  day: string;
  model: string;
};

export function toUsageRow(stored: UsageColumns): UsageRow {
  return {
    session: stored.key,
    agent: stored.agent,
    directory: stored.cwd,
    day: stored.day,
    ...(stored.model && { model: stored.model }),
    usage: dropNulls({
      input: stored.input,
      output: stored.output,
      reasoning: stored.reasoning,
      cacheRead: stored.cache_read,
      cacheWrite: stored.cache_write,
    }),
    cost: stored.cost_nano / NANO,
    turns: stored.turns,
    durationMs: stored.duration_ms,
    waitedMs: stored.waited_ms,
    tools: stored.tools,
    asks: stored.asks,
    allowed: stored.allowed,
    denied: stored.denied,
  };
}
