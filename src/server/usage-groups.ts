/** Adds usage rows up by any of session, agent and day, and gives the sums in pages. */
import type { UsageRow } from "../core/store.ts";
import { addCost, addUsage } from "../core/usage.ts";
import { invalidField } from "../protocol/refusals.ts";
import type { UsageKey } from "../protocol/schemas/service.ts";

type Totals = Omit<UsageRow, UsageKey>;
type Group = Totals & Partial<Pick<UsageRow, UsageKey>>;

const NOTHING: Totals = { usage: {}, cost: 0, turns: 0, durationMs: 0, tools: 0, asks: 0 };

/** The sort key of groups. */
const ORDER: readonly UsageKey[] = ["day", "session", "agent"];

export class UsageGroups {
  readonly #keys: readonly UsageKey[];
  readonly #groups = new Map<string, { place: string[]; group: Group }>();
  #total = NOTHING;

  constructor(by: readonly UsageKey[]) {
    this.#keys = ORDER.filter((key) => by.includes(key));
  }

  add(row: UsageRow): void {
    const place = this.#keys.map((key) => row[key]);
    const name = JSON.stringify(place);
    const keys = Object.fromEntries(this.#keys.map((key) => [key, row[key]]));
    const known = this.#groups.get(name)?.group ?? NOTHING;
    this.#groups.set(name, { place, group: { ...keys, ...sum(known, row) } });
    this.#total = sum(this.#total, row);
  }

  get total(): Totals {
    return this.#total;
  }

  /** Sorted, each with its sort key. */
  after(cursor: string | undefined): { group: Group; place: string[] }[] {
    const start = cursor === undefined ? undefined : this.#placeOf(cursor);
    return [...this.#groups.values()]
      .filter(({ place }) => start === undefined || isBefore(start, place))
      .sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
  }

  #placeOf(cursor: string): string[] {
    try {
      const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
      const fits = Array.isArray(place) && place.length === this.#keys.length;
      if (fits && place.every((value) => typeof value === "string")) return place;
    } catch {
      // Refused below.
    }
    throw invalidField(
      "cursor",
      "is not one that a former page gave",
      "The cursor is not one that a former page of the same query gave. Leave it out to begin with the first page.",
    );
  }
}

/** The cursor after the group with this key. */
export function usageCursor(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  const differing = a.findIndex((value, index) => value !== b[index]);
  return differing >= 0 && a[differing]! < b[differing]!;
}

function sum(total: Totals, row: Totals): Totals {
  return {
    usage: addUsage(total.usage, row.usage),
    cost: addCost(total.cost, row.cost) ?? 0,
    turns: total.turns + row.turns,
    durationMs: total.durationMs + row.durationMs,
    tools: total.tools + row.tools,
    asks: total.asks + row.asks,
  };
}
