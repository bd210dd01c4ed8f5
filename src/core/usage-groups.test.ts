import { expect, test } from "vitest";
import type { UsageRow } from "./store.ts";
import { UsageGroups, type UsageKey } from "./usage-groups.ts";

function row(session: string, agent: string, day: string, input: number): UsageRow {
  return {
    session,
    agent,
    day,
    directory: `/${session}`,
    ...(agent === "x" && { model: "m" }),
    usage: { input },
    cost: input / 10,
    turns: 1,
    durationMs: 5,
    waitedMs: 0,
    tools: 2,
    asks: 0,
    allowed: 1,
    denied: 0,
  };
}

const rows = [row("a", "x", "2026-01-01", 1), row("a", "x", "2026-01-02", 2), row("b", "y", "2026-01-02", 4)];

function groupUsage(added: UsageRow[], by: UsageKey[], after?: string[]) {
  const groups = new UsageGroups(by);
  for (const one of added) groups.add(one);
  return { rows: groups.after(after).map(({ group }) => group), total: groups.total };
}

test("adds up by any of the keys, and in all", () => {
  expect(groupUsage(rows, ["day"]).rows.map(({ day, usage, turns }) => [day, usage.input, turns])).toEqual([
    ["2026-01-01", 1, 1],
    ["2026-01-02", 6, 2],
  ]);
  expect(groupUsage(rows, ["session", "agent"]).rows).toMatchObject([
    { session: "a", agent: "x", cost: 0.3 },
    { session: "b", agent: "y", cost: 0.4 },
  ]);
  expect(groupUsage(rows, ["session", "agent", "day"]).rows).toHaveLength(3);
  expect(groupUsage(rows, []).rows).toEqual([groupUsage(rows, []).total]);
  // What is of no known model has none, and comes first.
  expect(groupUsage(rows, ["model"]).rows.map(({ model, cost }) => [model, cost])).toEqual([
    [undefined, 0.4],
    ["m", 0.3],
  ]);
  expect(groupUsage(rows, ["model"]).rows[0]).not.toHaveProperty("model");
  expect(groupUsage(rows, ["directory"]).rows).toMatchObject([
    { directory: "/a", allowed: 2 },
    { directory: "/b", allowed: 1 },
  ]);
  expect(groupUsage(rows, ["day"]).total).toMatchObject({
    usage: { input: 7 },
    cost: 0.7,
    turns: 3,
    tools: 6,
  });
});

test("nothing was used", () => {
  expect(groupUsage([], ["day"])).toEqual({
    rows: [],
    total: {
      usage: {},
      cost: 0,
      turns: 0,
      durationMs: 0,
      waitedMs: 0,
      tools: 0,
      asks: 0,
      allowed: 0,
      denied: 0,
    },
  });
});

test("goes on from any group, also when it is gone or others came between", () => {
  const all = groupUsage(rows, ["session", "day"]).rows;
  expect(all.map(({ day, session }) => `${day} ${session}`)).toEqual([
    "2026-01-01 a",
    "2026-01-02 a",
    "2026-01-02 b",
  ]);
  const cursor = ["2026-01-02", "a"];
  expect(groupUsage(rows, ["day", "session"], cursor).rows).toEqual(all.slice(2));
  expect(groupUsage(rows.slice(2), ["day", "session"], cursor).rows).toEqual(all.slice(2));
});

test("what an agent with play money says it cost is in no sum of money, and is told apart", () => {
  const groups = new UsageGroups(["agent"], (agent) => agent === "x");
  for (const one of rows) groups.add(one);
  const [played, paid] = groups.after().map(({ group }) => group);
  expect(played).toMatchObject({ agent: "x", cost: 0, playCost: 0.3, turns: 2 });
  expect(paid).toMatchObject({ agent: "y", cost: 0.4 });
  expect(paid).not.toHaveProperty("playCost");
  expect(groups.total).toMatchObject({ cost: 0.4, playCost: 0.3, turns: 3 });
});
