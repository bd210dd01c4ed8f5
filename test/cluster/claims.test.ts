/** Nodes in one process on a real PostgreSQL: who may have a session, and whose appends are written. */
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { NodeRoot } from "../../src/cluster/node-profile.ts";
import { type OrphanQuery, SessionClaims } from "../../src/cluster/session-claims.ts";
import { type ClusterNode, type NodeLogger, startClusterNode } from "../../src/cluster/start-cluster-node.ts";
import { nodeNumberFile } from "../../src/config/node-number-file.ts";
import type { InterlinguaError } from "../../src/core/error.ts";
import type { Claim, Owned, OwnershipListener } from "../../src/core/ownership.ts";
import type { SessionAppend, Store } from "../../src/core/store.ts";
import { GroupCommit } from "../../src/engine/commits/group-commit.ts";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { until } from "../../src/testkit/until.ts";
import type { FlakyProxy } from "./flaky-proxy.ts";
import { TestCluster } from "./test-cluster.ts";

const SILENT: NodeLogger = { info() {}, warn() {}, error() {} };

/** Beats that never come: these nodes live until they are declared dead. */
const STILL = { beatMs: 600_000, freezeMs: 3_000_000, deadMs: 6_000_000, reconcileMs: 600_000 };

interface TestNode {
  node: ClusterNode;
  store: Store;
  /** What became of its processes, in order. */
  processes: string[];
  lost: () => number;
  orphans: string[];
}

let cluster: TestCluster;
let proxy: FlakyProxy;
const nodes: TestNode[] = [];
/** By the id of the daemon. They outlive a test, and so does the number that a node had in the emptied database. */
const directories = new Map<string, string>();

beforeAll(async () => {
  cluster = await TestCluster.start();
  proxy = await cluster.startProxy();
});

afterAll(() => cluster[Symbol.asyncDispose]());

beforeEach(() => cluster.postgres.empty(cluster.store));

afterEach(async () => {
  Object.assign(proxy, { refuses: false, swallowsAfter: undefined, stalls: false });
  for (const { node, store } of nodes.splice(0)) {
    await node.close();
    await store.close();
  }
});

/** Whose files are wherever a session is claimed. */
const EVERYTHING: readonly NodeRoot[] = [{ path: "/", files: "shared" }];

async function start(
  name: string,
  { times = STILL, address = cluster.store, daemon = name, roots = EVERYTHING } = {},
): Promise<TestNode> {
  const store = await openPostgres({ url: address, isShared: true });
  const processes: string[] = [];
  const note = (what: string) => () => void processes.push(what);
  const node = await startClusterNode({
    store: address,
    name,
    daemon,
    profile: { labels: {}, roots, agents: ["mock"] },
    data: directoryOf(daemon),
    number: nodeNumberFile(directoryOf(daemon)),
    load: () => ({ agents: 2, maxAgents: 7 }),
    times,
    logger: SILENT,
    processes: {
      freeze: note("freeze"),
      thaw: note("thaw"),
      freezeIn() {},
      endAll: async () => note("end")(),
    },
  });
  let lost = 0;
  const orphans: string[] = [];
  const listener: OwnershipListener = {
    suspended: note("refuse"),
    lost: async () => {
      lost += 1;
    },
    async orphaned(sessions) {
      orphans.push(...sessions);
      return sessions;
    },
  };
  node.ownership.listen(listener);
  const started = { node, store, processes, lost: () => lost, orphans };
  nodes.push(started);
  return started;
}

function directoryOf(daemon: string): string {
  const known = directories.get(daemon) ?? cluster.temporary();
  directories.set(daemon, known);
  return known;
}

async function create({ node, store }: TestNode, sample: SampleSession): Promise<Claim> {
  const claim = node.ownership.claimNew(sample.id)!;
  await store.append([sample.batch({ events: 1, claim })]);
  return claim;
}

async function granted({ node }: TestNode, session: string): Promise<Claim> {
  const answer = (await node.ownership.claim(session)) as Owned;
  expect(answer).toHaveProperty("claim");
  return answer.claim!;
}

async function declareDead({ node }: TestNode): Promise<void> {
  await cluster.query(`UPDATE interlingua.node SET dead = true WHERE id = ${node.id}`);
}

it("one node has a session: others are told who, and get it when it is free", async () => {
  const [a, b] = [await start("a"), await start("b")];
  const sample = new SampleSession("s");
  const first = await create(a, sample);
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
  expect(await b.node.ownership.claim("nothing")).toBeUndefined();
  await a.node.ownership.release("s", first);
  const second = await granted(b, "s");
  expect(second).toEqual({ node: b.node.id, epoch: 1 });
  expect(await a.store.append([sample.batch({ events: 1, claim: first })])).toEqual({ refused: ["s"] });
});

it("of many that want a free session at the same moment one gets it", async () => {
  const all = [await start("a"), await start("b"), await start("c")];
  const sample = new SampleSession("s");
  await all[0]!.node.ownership.release("s", await create(all[0]!, sample));
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(all.map(({ node }) => node.ownership.claim("s")));
    const winners = answers.filter((answer): answer is Owned => answer !== undefined && "claim" in answer);
    expect(winners).toHaveLength(1);
    const { claim } = winners[0]!;
    const winner = all.find(({ node }) => node.id === claim?.node)!;
    await winner.node.ownership.release("s", claim);
  }
});

it("a session of a dead node is another's, which knows whose it was", async () => {
  const [a, b] = [await start("a"), await start("b")];
  const sample = new SampleSession("s", { status: "running" });
  const first = await create(a, sample);
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  await declareDead(a);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await b.node.ownership.claim("s")).toMatchObject({ claim: { epoch: 1 }, lostNode: "a" });
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  expect(await a.store.append([sample.batch({ events: 1, claim: first })])).toEqual({ refused: ["s"] });
  // The dead one claims nothing, not even what is free.
  await b.node.ownership.release("s", { node: b.node.id, epoch: 1 });
  await expect(a.node.ownership.claim("s")).rejects.toMatchObject({ code: "store_busy" });
});

it("the next incarnation of a daemon has what the former one had, and lost nothing to another node", async () => {
  const a = await start("a");
  await create(a, new SampleSession("s", { status: "running" }));
  const again = await start("a");
  expect(await again.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await again.node.ownership.claim("s")).toEqual({ claim: { node: again.node.id, epoch: 1 } });
});

it("orphans are found from any place on", async () => {
  const [a, b] = [await start("a"), await start("b")];
  const ids = ["z", "y", "x", "w"];
  for (const id of ids) await create(a, new SampleSession(id, { status: "running" }));
  await declareDead(a);
  const connection = await PostgresConnection.open({ url: cluster.store });
  onTestFinished(() => connection.close());
  const claims = new SessionClaims(connection);
  const find = (more: Partial<OrphanQuery>) => claims.findOrphans(b.node.id, { limit: 2, ...more });
  expect(await find({})).toEqual(["z", "y"]);
  expect(await find({ after: "y" })).toEqual(["x", "w"]);
  expect(await find({ after: "z", except: ["y", "x"] })).toEqual(["w"]);
  // One that was deleted.
  expect(await find({ after: "gone" })).toEqual(["z", "y"]);
});

it("a node that leaves frees all it had", async () => {
  const [a, b] = [await start("a"), await start("b")];
  for (const id of ["s", "t"]) await create(a, new SampleSession(id));
  await a.node.close();
  expect(await granted(b, "s")).toMatchObject({ epoch: 1 });
  expect(await b.node.ownership.claim("t")).toEqual({ claim: { node: b.node.id, epoch: 1 } });
});

it("a claim whose answer was lost is found: by the next claim, or it is freed for others", async () => {
  const times = { ...STILL, reconcileMs: 50 };
  const [a, b] = [await start("a", { times, address: cluster.storeBehind(proxy) }), await start("b")];
  const sample = new SampleSession("s");
  await b.node.ownership.release("s", await create(b, sample));
  proxy.swallowsAfter = "claim";
  const before = proxy.swallowed;
  const pending = Promise.resolve(a.node.ownership.claim("s"));
  pending.catch(() => {});
  await until(() => proxy.swallowed > before);
  proxy.swallowsAfter = undefined;
  proxy.cut();
  await expect(pending).rejects.toMatchObject({ code: "store_busy" });
  await until(async () => {
    const [row] = await cluster.query<{ owner: string | null }>("SELECT owner FROM interlingua.log_head");
    return row?.owner === null;
  });
  expect((await granted(b, "s")).epoch).toBeGreaterThan(1);
});

it("a node that was declared dead ends everything and joins anew, under another number", async () => {
  // A statement may take as long as lies between two beats.
  const times = { ...STILL, beatMs: 1000 };
  const a = await start("a", { times });
  const before = a.node.id;
  await create(a, new SampleSession("s", { status: "running" }));
  await declareDead(a);
  await until(() => a.node.id !== before);
  expect(a.lost()).toBe(1);
  expect(a.processes).toEqual(["thaw", "freeze", "refuse", "end", "thaw"]);
  expect(a.node.ownership.suspended).toBeUndefined();
  // What it had has nobody now, so it is offered again.
  await until(() => a.orphans.includes("s"));
});

it("a daemon that is alone fences every node that was there before", async () => {
  const a = await start("a");
  const sample = new SampleSession("s");
  const claim = await create(a, sample);
  await cluster.query("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
  const alone = await openPostgres({ url: cluster.store });
  expect(await alone.append([new SampleSession("other").batch({ events: 1 })])).toEqual({ refused: [] });
  await alone.close();
  const batch = sample.batch({ events: 1, claim });
  let answer: unknown;
  // The database may not have noticed yet that it has left, and refuses to work with two.
  await until(async () => {
    answer = await a.store.append([batch]).catch(() => undefined);
    return answer !== undefined;
  });
  expect(answer).toEqual({ refused: ["s"] });
});

it.each([
  ["reached nobody", false],
  ["was written, and its answer was lost", true],
])("an append that %s is not acknowledged once another node has gone on", async (_, isWritten) => {
  const [a, b] = [await start("a", { address: cluster.storeBehind(proxy) }), await start("b")];
  const sample = new SampleSession("s");
  const claim = await create(a, sample);
  const commit = new GroupCommit(a.store, { maxPendingBytes: 1_000_000, retryMs: 20 });
  const before = proxy.swallowed;
  const cutOff = () => {
    proxy.refuses = true;
    proxy.cut();
  };
  const outcome = new Promise<string>((resolve) => {
    let given: SessionAppend | undefined = copyOf(sample).batch({ events: 1, claim });
    const collect = () => {
      const collected = given;
      given = undefined;
      return collected;
    };
    const failed = (error: unknown) => resolve((error as InterlinguaError).code);
    if (isWritten) proxy.swallowsAfter = "append_";
    else cutOff();
    commit.touch({ collect, committed: () => resolve("committed"), failed }, 1000);
  });
  if (isWritten) {
    await until(() => proxy.swallowed > before);
    cutOff();
    sample.batch({ events: 1 });
  }
  await until(() => commit.problem !== undefined);
  await declareDead(a);
  const later = await granted(b, "s");
  await b.store.append([sample.batch({ events: 1, claim: later })]);
  Object.assign(proxy, { refuses: false, swallowsAfter: undefined });
  expect(await outcome).toBe("session_moved");
  expect((await b.store.readEvents("s", 0, 100)).events).toEqual(sample.events);
});

/** What a node can do with a session, in any order. */
const anySteps = fc.array(
  fc.record({
    node: fc.nat(2),
    session: fc.constantFrom("s", "t"),
    act: fc.constantFrom("claim", "append", "append", "release", "forget", "die"),
  }),
  { minLength: 20, maxLength: 60, size: "max" },
);

it("whatever nodes do, each log is continued by one at a time, and nothing is written after a later claim", async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      await cluster.postgres.empty(cluster.store);
      const all = [await start("a"), await start("b"), await start("c")];
      try {
        await tryAll(all, steps);
      } finally {
        for (const { node, store } of nodes.splice(0)) {
          await node.close();
          await store.close();
        }
      }
    }),
    { numRuns: 6 },
  );
});

type Steps = typeof anySteps extends fc.Arbitrary<infer All> ? All : never;

async function tryAll(all: readonly TestNode[], steps: Steps): Promise<void> {
  // What each log must have, whoever wrote it; and what each node believes to have.
  const logs = new Map(["s", "t"].map((id) => [id, new SampleSession(id)]));
  const epochs = new Map<string, number>();
  const held = all.map(() => new Map<string, Claim>());
  for (const [id, sample] of logs) {
    held[0]!.set(id, await create(all[0]!, sample));
    epochs.set(id, 0);
  }
  for (const { node: index, session, act } of steps) {
    const [{ node, store }, mine] = [all[index]!, held[index]!];
    const sample = logs.get(session)!;
    const claim = mine.get(session);
    if (act === "claim" && !claim) {
      const answer = await Promise.resolve(node.ownership.claim(session)).catch(() => undefined);
      if (!answer || !("claim" in answer)) continue;
      expect(answer.claim!.epoch).toBeGreaterThan(epochs.get(session)!);
      epochs.set(session, answer.claim!.epoch);
      mine.set(session, answer.claim!);
    } else if (act === "append" && claim) {
      const isNewest = claim.epoch === epochs.get(session);
      const written = isNewest ? sample : copyOf(sample);
      const { refused } = await store.append([written.batch({ events: 2, raws: 1, claim })]);
      expect(refused).toEqual(isNewest ? [] : [session]);
      if (!isNewest) mine.delete(session);
    } else if (act === "release" && claim) {
      mine.delete(session);
      await node.ownership.release(session, claim);
    } else if (act === "forget") mine.delete(session);
    // It does not notice, and goes on with what it has.
    else if (act === "die" && index > 0) await declareDead(all[index]!);
  }
  const { store } = all[0]!;
  for (const [id, { events, raws }] of logs) {
    expect((await store.readEvents(id, 0, 10_000)).events).toEqual(events);
    expect((await store.readRaws(id, 0, 10_000)).raws).toEqual(raws);
  }
  expect((await store.check()).problems).toEqual([]);
}

/** To write after it what must not be kept. */
function copyOf(sample: SampleSession): SampleSession {
  const copy = new SampleSession(sample.id);
  copy.events.push(...sample.events);
  copy.raws.push(...sample.raws);
  return copy;
}
