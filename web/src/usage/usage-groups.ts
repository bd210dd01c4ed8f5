/** Rows of usage by day and one other key, as what a chart and a table show. Pure. */
import type { UsageRow } from "../api/types.ts";

export const USAGE_KEYS = ["agent", "model", "directory", "session"] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export const MEASURES = ["cost", "tokens", "turns", "time", "asks"] as const;
export type Measure = (typeof MEASURES)[number];

/** What is added up. */
export interface Amounts {
  cost: number;
  /** What agents with play money say they cost; not in `cost`. */
  playCost: number;
  input: number;
  output: number;
  turns: number;
  durationMs: number;
  /** Of that time: how long a person was awaited. */
  waitedMs: number;
  tools: number;
  asks: number;
  allowed: number;
  denied: number;
}

export interface UsageGroup extends Amounts {
  /** The agent, model, directory or session; empty where it is not known. */
  name: string;
  /** The same for each day that has something, by its date. */
  days: ReadonlyMap<string, Amounts>;
}

export const NOTHING: Amounts = {
  ...{ cost: 0, playCost: 0, input: 0, output: 0, turns: 0, durationMs: 0, waitedMs: 0 },
  ...{ tools: 0, asks: 0, allowed: 0, denied: 0 },
};

function amountsOf({ usage, ...row }: UsageRow): Amounts {
  const { cost, playCost = 0, turns, durationMs, waitedMs, tools, asks, allowed, denied } = row;
  return {
    ...{ cost, playCost, turns, durationMs, waitedMs, tools, asks, allowed, denied },
    input: usage.input ?? 0,
    output: usage.output ?? 0,
  };
}

const AMOUNTS = Object.keys(NOTHING) as (keyof Amounts)[];

export function add(a: Amounts, b: Amounts): Amounts {
  const sum = { ...NOTHING };
  for (const name of AMOUNTS) sum[name] = a[name] + b[name];
  return sum;
}

export function measured(amounts: Amounts, measure: Measure): number {
  if (measure === "tokens") return amounts.input + amounts.output;
  return measure === "time" ? workedMs(amounts) : amounts[measure];
}

/** How long agents were at work. */
export function workedMs({ durationMs, waitedMs }: Pick<Amounts, "durationMs" | "waitedMs">): number {
  return Math.max(0, durationMs - waitedMs);
}

/** The most first; among equals by name. */
export function groupUsage(rows: readonly UsageRow[], key: UsageKey, measure: Measure): UsageGroup[] {
  const groups = new Map<string, UsageGroup & { days: Map<string, Amounts> }>();
  for (const row of rows) {
    const name = row[key] ?? "";
    const group = groups.get(name) ?? { ...NOTHING, name, days: new Map<string, Amounts>() };
    const amounts = amountsOf(row);
    if (row.day !== undefined) group.days.set(row.day, add(group.days.get(row.day) ?? NOTHING, amounts));
    groups.set(name, { ...group, ...add(group, amounts) });
  }
  return [...groups.values()].sort(
    (a, b) => measured(b, measure) - measured(a, measure) || (a.name < b.name ? -1 : 1),
  );
}

/** Every day from the first to the last, also those without anything. Both are dates like 2026-01-31. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** The next round number: where an axis ends. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
