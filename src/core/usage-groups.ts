/** Adds usage rows up by any of session, agent, day, model and directory. */
import type { UsageRow } from "./store.ts";
import { addCost, addUsage } from "./usage.ts";

export const USAGE_KEYS = ["session", "agent", "day", "model", "directory"] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export interface UsageTotals extends Omit<UsageRow, UsageKey> {
  /** What agents with play money say they cost. Not in `cost`; absent where there is none. */
  playCost?: number;
}
export type UsageGroup = UsageTotals & Partial<Pick<UsageRow, UsageKey>>;

const NOTHING: UsageTotals = {
  usage: {},
  cost: 0,
  turns: 0,
  durationMs: 0,
  waitedMs: 0,
  tools: 0,
  asks: 0,
  allowed: 0,
  denied: 0,
};

/** The sort key of groups. */
const ORDER: readonly UsageKey[] = ["day", "session", "agent", "model", "directory"];

export class UsageGroups {
  /** In the order of the sort key. */
  readonly keys: readonly UsageKey[];
  readonly #groups = new Map<string, { place: string[]; group: UsageGroup }>();
  readonly #hasPlayMoney: (agent: string) => boolean;
  #total = NOTHING;

  constructor(by: readonly UsageKey[], hasPlayMoney: (agent: string) => boolean = () => false) {
    this.#hasPlayMoney = hasPlayMoney;
    this.keys = ORDER.filter((key) => by.includes(key));
  }

  add(row: UsageRow): void {
    // An unknown model comes first.
    const place = this.keys.map((key) => row[key] ?? "");
    const name = JSON.stringify(place);
    const keys = Object.fromEntries(
      this.keys.flatMap((key) => (row[key] === undefined ? [] : [[key, row[key]]])),
    );
    const known = this.#groups.get(name)?.group ?? NOTHING;
    const isPlay = row.cost > 0 && this.#hasPlayMoney(row.agent);
    const amounts = isPlay ? { ...row, cost: 0, playCost: row.cost } : row;
    this.#groups.set(name, { place, group: { ...keys, ...sum(known, amounts) } });
    this.#total = sum(this.#total, amounts);
  }

  get total(): UsageTotals {
    return this.#total;
  }

  /** Sorted, each with its sort key; only those behind `place` where that is given. */
  after(place?: readonly string[]): { group: UsageGroup; place: string[] }[] {
    return [...this.#groups.values()]
      .filter((entry) => place === undefined || isBefore(place, entry.place))
      .sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  }
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing >= 0 && a[differing]! < b[differing]!;
}

function sum(total: UsageTotals, row: UsageTotals): UsageTotals {
  const playCost = addCost(total.playCost, row.playCost);
  return {
    usage: addUsage(total.usage, row.usage),
    cost: addCost(total.cost, row.cost) ?? 0,
    ...(playCost !== undefined && { playCost }),
    turns: total.turns + row.turns,
    durationMs: total.durationMs + row.durationMs,
    waitedMs: total.waitedMs + row.waitedMs,
    tools: total.tools + row.tools,
    asks: total.asks + row.asks,
    allowed: total.allowed + row.allowed,
    denied: total.denied + row.denied,
  };
}
