/** Adding up what batches add to the usage of one session on one day. */
import type { UsageIncrement, UsageRow } from "../../core/store.ts";
import { addCost, addUsage } from "../../core/usage.ts";

type UsageKey = Pick<UsageRow, "session" | "agent" | "day">;

export function addIncrement(total: UsageKey & Partial<UsageRow>, increment: UsageIncrement): UsageRow {
  return {
    session: total.session,
    agent: total.agent,
    day: total.day,
    usage: addUsage(total.usage ?? {}, increment.usage),
    cost: addCost(total.cost, increment.cost) ?? 0,
    turns: (total.turns ?? 0) + increment.turns,
    durationMs: (total.durationMs ?? 0) + increment.durationMs,
    tools: (total.tools ?? 0) + increment.tools,
    asks: (total.asks ?? 0) + increment.asks,
  };
}
