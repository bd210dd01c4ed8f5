import fc from "fast-check";
import { expect, test } from "vitest";
import type { UsageRow } from "../api/types.ts";
import { add, daysBetween, groupUsage, MEASURES, measured, NOTHING, niceCeiling } from "./usage-groups.ts";

function row(fields: Partial<UsageRow>): UsageRow {
  const none = { cost: 0, turns: 0, durationMs: 0, waitedMs: 0, tools: 0, asks: 0, allowed: 0, denied: 0 };
  return { usage: {}, ...none, ...fields };
}

const rows = fc.array(
  fc.record({
    agent: fc.constantFrom("claude", "codex", "mock"),
    model: fc.option(fc.constantFrom("large", "small"), { nil: undefined }),
    day: fc.constantFrom("2026-01-01", "2026-01-02"),
    turns: fc.nat(100),
    asks: fc.nat(10),
    usage: fc.record({ input: fc.nat(1000), output: fc.nat(1000) }),
  }),
);

test("nothing is lost or counted twice, whatever it is grouped by", () => {
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom("agent", "model"),
      fc.constantFrom(...MEASURES),
      (given, key, measure) => {
        const all = given.map(row);
        const groups = groupUsage(all, key, measure);
        const total = groups.reduce(add, NOTHING);
        expect(total.turns).toBe(all.reduce((sum, { turns }) => sum + turns, 0));
        expect(measured(total, "tokens")).toBe(
          all.reduce((sum, { usage }) => sum + (usage.input ?? 0) + (usage.output ?? 0), 0),
        );
        for (const group of groups)
          expect([...group.days.values()].reduce(add, NOTHING).turns).toBe(group.turns);
        const sizes = groups.map((group) => measured(group, measure));
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      },
    ),
  );
});

test("a model that is not known is a group of its own", () => {
  const groups = groupUsage([row({ turns: 1 }), row({ model: "large", turns: 2 })], "model", "turns");
  expect(groups.map(({ name, turns }) => [name, turns])).toEqual([
    ["large", 2],
    ["", 1],
  ]);
});

test("every day of a period is there, over the end of a month and of summer time", () => {
  expect(daysBetween("2026-02-27", "2026-03-02")).toEqual([
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
  expect(daysBetween("2026-10-24", "2026-10-26")).toHaveLength(3);
});

test("an axis ends at a round number that is enough", () => {
  expect([0, 0.03, 1, 7, 21, 99, 101, 2600].map(niceCeiling)).toEqual([1, 0.05, 1, 10, 25, 100, 200, 5000]);
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e12, noNaN: true }), (value) => {
      expect(niceCeiling(value)).toBeGreaterThanOrEqual(value * 0.999999);
      expect(niceCeiling(value)).toBeLessThanOrEqual(value * 10);
    }),
  );
});
