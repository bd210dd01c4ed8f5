/** Adding up what batches add to the usage of one session on one day with one model. */
import type { UsageIncrement, UsageRow } from "../../core/store.ts";
import { addCost, addUsage } from "../../core/usage.ts";

type UsageKey = Pick<UsageRow, "session" | "agent" | "directory" | "day" | "model">;

/** A sum beyond the largest safe number stays there. Money is counted in whole nano-units. */
export function addIncrement(total: UsageKey & Partial<UsageRow>, increment: UsageIncrement): UsageRow {
  return {
    session: total.session,
    agent: total.agent,
    directory: total.directory,
    day: total.day,
    ...(total.model !== undefined && { model: total.model }),
    usage: capped(addUsage(total.usage ?? {}, increment.usage)),
    cost: Math.min(addCost(total.cost, increment.cost) ?? 0, Number.MAX_SAFE_INTEGER / 1e9),
    ...capped({
      turns: (total.turns ?? 0) + increment.turns,
      durationMs: (total.durationMs ?? 0) + increment.durationMs,
      waitedMs: (total.waitedMs ?? 0) + increment.waitedMs,
      tools: (total.tools ?? 0) + increment.tools,
      asks: (total.asks ?? 0) + increment.asks,
      allowed: (total.allowed ?? 0) + increment.allowed,
      denied: (total.denied ?? 0) + increment.denied,
    }),
  };
}

function capped<Counts extends Record<string, number>>(counts: Counts): Counts {
  const entries = Object.entries(counts).map(([name, count]) => [
    name,
    Math.min(count, Number.MAX_SAFE_INTEGER),
  ]);
  return Object.fromEntries(entries) as Counts;
}
