/** Token counts and money: the shape of one increment, and how increments add up. */
import { z } from "zod";

const count = z.number().int().nonnegative();

/**
 * `input` and `output` are totals: `cacheRead` and `cacheWrite` are part of `input`, `reasoning` is part of `output`.
 * Translators of agents that count otherwise add up.
 */
export const tokenUsageSchema = z.object({
  input: count.optional(),
  output: count.optional(),
  reasoning: count.optional(),
  cacheRead: count.optional(),
  cacheWrite: count.optional(),
});

/** Token counts of one increment, or of a sum. */
export type TokenUsage = z.infer<typeof tokenUsageSchema>;

const FIELDS = ["input", "output", "reasoning", "cacheRead", "cacheWrite"] as const;

/** More than any agent uses at once, yet small enough that sums stay exact. */
const MAX_TOKENS = 1e12;
const MAX_COST = 1e6;

/** The usage an agent reports, without invalid amounts: text, negative or impossibly large numbers. */
export function soundUsage<Told extends TokenUsage & { cost?: number }>(told: Told): Told {
  const sound = { ...told };
  for (const field of FIELDS) {
    if (isAmount(told[field], MAX_TOKENS)) sound[field] = Math.round(told[field]);
    else delete sound[field];
  }
  if (!isAmount(told.cost, MAX_COST)) delete sound.cost;
  return sound;
}

function isAmount(value: unknown, most: number): value is number {
  return typeof value === "number" && value >= 0 && value <= most;
}

/**
 * Adds `increment` to `total`. A field that neither has stays absent.
 *
 * @example
 * addUsage({ input: 10 }, { input: 5, output: 2 }); // => { input: 15, output: 2 }
 */
export function addUsage(total: TokenUsage, increment: TokenUsage): TokenUsage {
  const sum: TokenUsage = {};
  for (const field of FIELDS) {
    if (total[field] === undefined && increment[field] === undefined) continue;
    sum[field] = (total[field] ?? 0) + (increment[field] ?? 0);
  }
  return sum;
}

/**
 * Adds money in whole nano-units, so that the sum does not depend on the order of the increments.
 *
 * @example
 * addCost(0.1, 0.2); // => 0.3
 */
export function addCost(total: number | undefined, increment: number | undefined): number | undefined {
  if (increment === undefined) return total;
  return Math.round(((total ?? 0) + increment) * 1e9) / 1e9;
}
