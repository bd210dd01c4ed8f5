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
};

const COUNTS = {
  ...{ isLeaseHeld: true, isDraining: false, sessionsOwned: 3, beats: 1, failedBeats: 0 },
  ...{ lostLeases: 0, claims: 0, takeovers: 0, declaredDead: 0 },
};

interface Seen {
  rows: readonly Partial<NodeRow>[];
  lease?: LeaseState;
  frozen?: readonly number[];
  isDraining?: boolean;
}

/** As node 1 sees them. */
function nodesOf({ rows, lease = "live", frozen = [], isDraining = false }: Seen): ClusterNodes {
  return new ClusterNodes({
    table: { list: async () => rows.map((row) => ({ ...ROW, ...row })) },
    lease: { node: 1, check: () => lease, isFrozen: (id) => frozen.includes(id) },
    isDraining: () => isDraining,
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
});

it("a database that cannot be asked is told as busy", async () => {
  const nodes = new ClusterNodes({
    table: { list: () => Promise.reject(new Error("away")) },
    lease: { node: 1, check: () => "live", isFrozen: () => false },
    isDraining: () => false,
    counts: () => COUNTS,
  });
  await expect(nodes.list()).rejects.toMatchObject({ code: "store_busy" });
});
