/** Adds usage rows up by any of session, agent and day. */
import type { UsageRow } from "../core/store.ts";
import { addCost, addUsage } from "../core/usage.ts";
import type { UsageKey } from "../protocol/schemas/service.ts";

type Totals = Omit<UsageRow, UsageKey>;
type Group = Totals & Partial<Pick<UsageRow, UsageKey>>;

const NOTHING: Totals = { usage: {}, cost: 0, turns: 0, durationMs: 0, tools: 0, asks: 0 };

export function groupUsage(
  rows: readonly UsageRow[],
  by: readonly UsageKey[],
): { rows: Group[]; total: Totals } {
  const groups = new Map<string, Group>();
  let total = NOTHING;
  for (const row of rows) {
    const keys = Object.fromEntries(by.map((key) => [key, row[key]]));
    const name = JSON.stringify(keys);
    groups.set(name, { ...keys, ...add(groups.get(name) ?? NOTHING, row) });
    total = add(total, row);
  }
  return { rows: [...groups.values()], total };
}

function add(total: Totals, row: Totals): Totals {
  return {
    usage: addUsage(total.usage, row.usage),
    cost: addCost(total.cost, row.cost) ?? 0,
    turns: total.turns + row.turns,
    durationMs: total.durationMs + row.durationMs,
    tools: total.tools + row.tools,
    asks: total.asks + row.asks,
  };
}
