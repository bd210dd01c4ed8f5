import { expect, it } from "vitest";
import { ClusterNodes } from "./cluster-nodes.ts";
import type { LeaseState } from "./node-lease.ts";
import type { NodeRow } from "./node-table.ts";

const ROW: NodeRow = {
  id: 1,
  name: "a",
  url: "http://a:1",
  isDead: false,
  isDraining: false,
  sessions: 3,
  agents: 2,
  maxAgents: 64,
  problem: null,
};

const COUNTS = {
  ...{ id: 1, name: "a" },
  ...{ isLeaseHeld: true, isDraining: false, sessionsOwned: 3, beats: 1, failedBeats: 0 },
  ...{ lostLeases: 0, claims: 0, takeovers: 0, declaredDead: 0 },
};

interface Seen {
  rows: readonly Partial<NodeRow>[];
  lease?: LeaseState;
  frozen?: readonly number[];
  isDraining?: boolean;
  now?: () => number;
  pause?: (milliseconds: number) => Promise<void>;
  problem?: string;
}

/** As node 1 sees them. */
function nodesOf({
  rows,
  lease = "live",
  frozen = [],
  isDraining = false,
  now = () => 0,
  pause = async () => {},
  problem,
}: Seen): ClusterNodes {
  return new ClusterNodes({
    ...{ now, pause },
    table: { list: async () => rows.map((row) => ({ ...ROW, ...row })) },
    lease: { node: 1, check: () => lease, isFrozen: (id) => frozen.includes(id) },
    isDraining: () => isDraining,
    problem: () => problem,
    counts: () => COUNTS,
  });
}

async function states(seen: Seen): Promise<string[]> {
  return (await nodesOf(seen).list()).map(({ state }) => state);
}

it("each has the state that this node sees", async () => {
  const rows = [
    {},
    { id: 2, isDraining: true },
    { id: 3 },
    { id: 4, isDead: true, isDraining: true },
    { id: 5, isDraining: true },
  ];
  expect(await states({ rows, frozen: [3, 5] })).toEqual(["live", "draining", "frozen", "dead", "frozen"]);
});

it("of itself it knows more than the table", async () => {
  expect(await states({ rows: [{}], lease: "frozen" })).toEqual(["frozen"]);
  expect(await states({ rows: [{}], lease: "lost" })).toEqual(["frozen"]);
  expect(await states({ rows: [{}], isDraining: true })).toEqual(["draining"]);
});

it("one that does not agree with the others is unready, and why is told", async () => {
  const rows = [
    {},
    { id: 2, problem: "token" },
    { id: 3, problem: "clock", isDraining: true },
    { id: 4, problem: "token", isDead: true },
    { id: 5, problem: "token" },
  ];
  const list = await nodesOf({ rows, frozen: [5], problem: "own" }).list();
  expect(list.map(({ state, problem }) => [state, problem])).toEqual([
    ["unready", "own"],
    ["unready", "token"],
    ["unready", "clock"],
    ["dead", undefined],
    ["frozen", undefined],
  ]);
});

it("nothing runs on a dead one, and one without an address has none", async () => {
  const list = await nodesOf({ rows: [{}, { id: 2, isDead: true, url: null }] }).list();
  expect(list[0]).toEqual({
    ...{ id: 1, name: "a", url: "http://a:1", state: "live" },
    ...{ sessions: 3, agents: 2, maxAgents: 64, self: true },
  });
  expect(list[1]).toEqual({
    ...{ id: 2, name: "a", state: "dead", sessions: 3, agents: 0, maxAgents: 64, self: false },
  });
});

it("is ready while it has its lease and was not told to go", () => {
  const ready = (seen: Omit<Seen, "rows">) => nodesOf({ rows: [], ...seen }).readiness();
  expect(ready({})).toEqual({ ready: true });
  expect(ready({ lease: "frozen" })).toMatchObject({ ready: false, state: "frozen" });
  expect(ready({ lease: "lost" })).toMatchObject({ ready: false, state: "frozen" });
  expect(ready({ isDraining: true })).toMatchObject({ ready: false, state: "draining" });
  const problem = "Its clock is wrong.";
  expect(ready({ problem })).toEqual({ ready: false, state: "unready", problem });
  expect(ready({ problem, lease: "frozen" })).toMatchObject({ state: "frozen" });
  expect(ready({ problem, isDraining: true })).toMatchObject({ state: "draining" });
});

it("a database that cannot be asked is told as busy", async () => {
  const nodes = new ClusterNodes({
    table: { list: () => Promise.reject(new Error("away")) },
    lease: { node: 1, check: () => "live", isFrozen: () => false },
    isDraining: () => false,
    problem: () => undefined,
    counts: () => COUNTS,
    now: () => 0,
    pause: async () => {},
  });
  await expect(nodes.list()).rejects.toMatchObject({ code: "store_busy" });
});

it("a node that a load balancer asks goes only after that had time to notice", async () => {
  let time = 100_000;
  const pauses: number[] = [];
  const nodes = nodesOf({ rows: [], now: () => time, pause: async (ms) => void pauses.push(ms) });
  await nodes.untilNoticed();
  expect(pauses, "nobody asked").toEqual([]);
  nodes.readiness();
  time += 2000;
  await nodes.untilNoticed();
  expect(pauses).toEqual([5000]);
  time += 60_000;
  await nodes.untilNoticed();
  expect(pauses, "nobody asks any more").toEqual([5000]);
});
