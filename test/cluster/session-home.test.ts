/** Where sessions may run: where their files and their agents are. Nodes are in one process, and the database is real. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { NodeRoot } from "../../src/cluster/node-profile.ts";
import { type ClusterNode, startClusterNode } from "../../src/cluster/start-cluster-node.ts";
import type { Claim, Owned } from "../../src/core/ownership.ts";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
/** Under which number each daemon was last a node. */
const numbers = new Map<string, number>();

/** Nothing happens by itself. */
const STILL = { beatMs: 60_000, freezeMs: 600_000, deadMs: 1_000_000, reconcileMs: 600_000 };
const CWD = "/srv/projects/one";
const SHARED: readonly NodeRoot[] = [{ path: "/srv/projects", files: "shared" }];
const PINNED: readonly NodeRoot[] = [{ path: "/srv/projects", files: "pinned" }];

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

async function start(name: string, roots: readonly NodeRoot[], agents: readonly string[] = ["mock"]) {
  const daemon = name;
  const store = await openPostgres({ url: cluster.store, isShared: true });
  cluster.defer(() => store.close());
  const node = await startClusterNode({
    store: cluster.store,
    name,
    daemon,
    profile: { labels: {}, roots, agents },
    data: "/nowhere",
    number: { read: () => numbers.get(daemon), keep: (node) => void numbers.set(daemon, node) },
    load: () => ({ agents: 0, maxAgents: 5 }),
    times: STILL,
    logger: { info() {}, warn() {}, error() {} },
    processes: { freeze() {}, freezeIn() {}, thaw() {}, async endAll() {} },
  });
  cluster.defer(() => node.close());
  const create = async (id: string, row = {}): Promise<Claim> => {
    const claim = node.ownership.claimNew(id)!;
    await store.append([new SampleSession(id, { cwd: CWD, ...row }).batch({ events: 1, claim })]);
    return claim;
  };
  return { node, create };
}

async function declareDead(node: ClusterNode): Promise<void> {
  await cluster.query(`UPDATE interlingua.node SET dead = true WHERE id = ${node.id}`);
}

it("a free session of a pinned root is its home's: others are sent there", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.node.ownership.release("s", await a.create("s"));
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
  expect(await a.node.ownership.claim("s")).toMatchObject({ claim: { node: a.node.id } });
});

it.each([
  ["the home does not share the root", PINNED, SHARED],
  ["the other does not share the root", SHARED, PINNED],
  ["the other shares only a neighbour of it", SHARED, [{ path: "/srv/project", files: "shared" } as const]],
])("%s: nobody else runs the session", async (_, home, other) => {
  const [a, b] = [await start("a", home), await start("b", other)];
  await a.node.ownership.release("s", await a.create("s"));
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
});

it.each([
  ["the same root", SHARED],
  ["one around it", [{ path: "/", files: "shared" } as const]],
  ["one inside it, of the session's directory", [{ path: CWD, files: "shared" } as const]],
])("a free session of a shared root is everybody's who shares %s", async (_, roots) => {
  const [a, b] = [await start("a", SHARED), await start("b", roots)];
  await a.node.ownership.release("s", await a.create("s"));
  const answer = (await b.node.ownership.claim("s")) as Owned;
  expect(answer).toEqual({ claim: { node: b.node.id, epoch: 1 }, lostNode: undefined });
});

/** The nodes see one inode of one file system there. */
const seen = (identity: string): readonly NodeRoot[] => [
  { path: "/srv/projects", files: "pinned", identity },
];

it("two nodes that see the very same pinned directory have each other's sessions, also after one died", async () => {
  const [a, b] = [await start("a", seen("one")), await start("b", seen("one"))];
  await a.node.ownership.release("s", await a.create("s"));
  const taken = (await b.node.ownership.claim("s")) as Owned;
  expect(taken).toEqual({ claim: { node: b.node.id, epoch: 1 }, lostNode: undefined });
  await b.node.ownership.release("s", taken.claim);
  await a.create("t", { status: "running", queued: 1 });
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual(["t"]);
  expect(((await b.node.ownership.claim("t")) as Owned).access).toBeUndefined();
  expect(await b.node.places.find("t")).toMatchObject({ needs: { homeRoots: seen("one") } });
});

it.each([
  ["another directory", seen("one"), seen("two")],
  ["one that the home does not know by itself", PINNED, seen("one")],
  ["one under another path", seen("one"), [{ path: "/srv", files: "pinned", identity: "one" } as const]],
])("a pinned directory at the same path that is %s: nobody else runs the session", async (_, home, other) => {
  const [a, b] = [await start("a", home), await start("b", other)];
  await a.node.ownership.release("s", await a.create("s"));
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
});

const GIT: readonly NodeRoot[] = [{ path: "/srv/projects", files: "git" }];

/** As the engine keeps files that travel. */
async function capture(session: string): Promise<void> {
  await cluster.query(`INSERT INTO interlingua.memory (session, part, seq, codec, checksum, data)
    SELECT id, 'workspace', 0, 0, 0, '' FROM interlingua.session WHERE key = '${session}'`);
}

it("files that travel make their session that of the node that has it, from clone to clone", async () => {
  const [a, b] = [await start("a", GIT), await start("b", GIT)];
  await a.node.ownership.release("s", await a.create("s"));
  const elsewhere = (name: string, { node }: { node: ClusterNode }) => ({ owner: { id: node.id, name } });
  expect(await b.node.ownership.claim("s")).toMatchObject(elsewhere("a", a));
  await capture("s");
  const taken = (await b.node.ownership.claim("s")) as Owned;
  expect(taken).toEqual({ claim: { node: b.node.id, epoch: 1 }, lostNode: undefined });
  await b.node.ownership.release("s", taken.claim);
  // What was not captured there is only there.
  await cluster.query("DELETE FROM interlingua.memory");
  expect(await a.node.ownership.claim("s")).toMatchObject(elsewhere("b", b));
});

it.each([
  ["the home has no clone", PINNED, GIT],
  ["the other has no clone", GIT, PINNED],
  ["the other shares the root", GIT, SHARED],
  ["the home shares the root", SHARED, GIT],
])("%s: files that were captured go nowhere", async (_, home, other) => {
  const [a, b] = [await start("a", home), await start("b", other)];
  await a.node.ownership.release("s", await a.create("s"));
  await capture("s");
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
});

it("captured files of a dead home are found by who can lay them down", async () => {
  const [a, b] = [await start("a", GIT), await start("b", GIT)];
  await a.create("s", { status: "running", queued: 1 });
  await capture("s");
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  expect(((await b.node.ownership.claim("s")) as Owned).access).toBeUndefined();
});

it("what a dead home left is settled once by another node, and then waits for it", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.create("s", { status: "running", queued: 1 });
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  const limited = (await b.node.ownership.claim("s")) as Owned;
  expect(limited).toMatchObject({
    lostNode: "a",
    access: { missing: "files", node: "a", nodeNumber: a.node.id },
    isSettled: false,
  });
  await b.node.ownership.release("s", limited.claim, true);
  // It is not looked for again, though something waits in it.
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  const again = (await b.node.ownership.claim("s")) as Owned;
  expect(again).toMatchObject({ access: { missing: "files", node: "a" }, isSettled: true });
  await b.node.ownership.release("s", again.claim, true);
  const back = await start("a", PINNED);
  expect(await back.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: back.node.id, name: "a" } });
  const own = (await back.node.ownership.claim("s")) as Owned;
  expect(own.access).toBeUndefined();
  expect(own.lostNode).toBeUndefined();
});

it("what a node with log-only access could not even read is looked for again, and that node does not become its home", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.create("s", { status: "running", queued: 1 });
  await declareDead(a.node);
  const limited = (await b.node.ownership.claim("s")) as Owned;
  await b.node.ownership.release("s", limited.claim);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await b.node.ownership.claim("s")).toMatchObject({
    access: { missing: "files", node: "a" },
    isSettled: false,
  });
});

it("a node that leaves takes the home of its sessions with it", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.create("s", { status: "running" });
  await a.node.close();
  // Its row may go when many others have joined.
  await cluster.query("DELETE FROM interlingua.node WHERE dead");
  expect(await b.node.ownership.claim("s")).toMatchObject({ access: { missing: "files", node: "unknown" } });
});

it("a session that nobody created here belongs to who has a root for it and claims it first", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.node.ownership.release("s", await a.create("s"));
  await cluster.query("UPDATE interlingua.log_head SET home = NULL, last_owner = NULL");
  const claim = ((await b.node.ownership.claim("s")) as Owned).claim;
  await b.node.ownership.release("s", claim);
  expect(await a.node.ownership.claim("s")).toMatchObject({ owner: { id: b.node.id, name: "b" } });
});

it("a dead home that shared the root does not keep its sessions", async () => {
  const [a, b] = [await start("a", SHARED), await start("b", SHARED)];
  await a.create("s", { status: "running" });
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await b.node.ownership.claim("s")).toEqual({
    claim: { node: b.node.id, epoch: 1 },
    lostNode: "a",
  });
});

/** Their config has other agents. */
const WITHOUT: readonly string[] = ["other"];

it("a node without the agent leaves what a dead one left to who has it", async () => {
  const a = await start("a", SHARED);
  const [b, c] = [await start("b", SHARED, WITHOUT), await start("c", SHARED)];
  await a.create("s", { queued: 1 });
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: c.node.id, name: "c" } });
  expect(await c.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await c.node.ownership.claim("s")).toEqual({
    claim: { node: c.node.id, epoch: 1 },
    lostNode: "a",
  });
});

it("where no node has the agent one settles the session, and it waits for a node that has", async () => {
  const [a, b] = [await start("a", SHARED), await start("b", SHARED, WITHOUT)];
  await a.create("s", { status: "running", queued: 1 });
  await declareDead(a.node);
  expect(await b.node.ownership.findOrphans()).toEqual(["s"]);
  const limited = (await b.node.ownership.claim("s")) as Owned;
  expect(limited).toMatchObject({ lostNode: "a", isSettled: false });
  expect(limited.access).toEqual({ is: "log", missing: "agent" });
  await b.node.ownership.release("s", limited.claim, true);
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  const again = (await b.node.ownership.claim("s")) as Owned;
  expect(again).toMatchObject({ access: { missing: "agent" }, isSettled: true });
  await b.node.ownership.release("s", again.claim, true);
  const c = await start("c", SHARED);
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: c.node.id, name: "c" } });
  expect(await c.node.ownership.findOrphans()).toEqual(["s"]);
  expect(await c.node.ownership.claim("s")).toEqual({ claim: { node: c.node.id, epoch: 3 } });
});

it("of nodes without the agent the one with the files has the session", async () => {
  const [a, b] = [await start("a", PINNED, WITHOUT), await start("b", PINNED)];
  await a.node.ownership.release("s", await a.create("s"));
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
  expect(await a.node.ownership.claim("s")).toMatchObject({ access: { missing: "agent" } });
});

it("captured files stay their node's while a node without the agent has the session", async () => {
  const [a, b] = [await start("a", GIT), await start("b", GIT, WITHOUT)];
  await a.create("s", { queued: 1 });
  await capture("s");
  await declareDead(a.node);
  const limited = (await b.node.ownership.claim("s")) as Owned;
  expect(limited).toMatchObject({ access: { missing: "files", node: "a" } });
  await b.node.ownership.release("s", limited.claim, true);
  expect(await cluster.query("SELECT home FROM interlingua.log_head")).toEqual([{ home: "a" }]);
});

it("a session of nobody does not become that of a node without its agent", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED, WITHOUT)];
  await a.node.ownership.release("s", await a.create("s"));
  await cluster.query("UPDATE interlingua.log_head SET home = NULL, last_owner = NULL");
  await declareDead(a.node);
  const limited = (await b.node.ownership.claim("s")) as Owned;
  expect(limited).toMatchObject({ access: { missing: "agent" } });
  await b.node.ownership.release("s", limited.claim, true);
  expect(await cluster.query("SELECT home FROM interlingua.log_head")).toEqual([{ home: "" }]);
});

/** As a daemon alone makes them, and a copy. */
async function createByNobody(...ids: string[]): Promise<void> {
  const store = await openPostgres({ url: cluster.store, isShared: true });
  for (const id of ids)
    await store.append([new SampleSession(id, { cwd: CWD, queued: 1 }).batch({ events: 1 })]);
  await store.close();
}

it("sessions from before there were nodes are at the first one, whoever is called", async () => {
  await createByNobody("s", "t");
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  expect(await b.node.ownership.findOrphans()).toEqual([]);
  expect(await b.node.ownership.claim("s")).toMatchObject({ owner: { id: a.node.id, name: "a" } });
  expect(await a.node.ownership.findOrphans()).toEqual(["s", "t"]);
});

it("a session of nobody is at no node without a root for it, and does not become that of one with log-only access", async () => {
  const elsewhere: readonly NodeRoot[] = [{ path: "/srv/others", files: "pinned" }];
  const a = await start("a", elsewhere);
  const b = await start("b", elsewhere);
  await createByNobody("s");
  expect(await b.node.ownership.claim("s")).toMatchObject({ access: { missing: "files", node: "unknown" } });
  await declareDead(b.node);
  expect(await a.node.places.find("s")).toEqual({
    needs: { agent: "mock", cwd: CWD, format: expect.any(Number) },
  });
  const again = await start("b", elsewhere);
  expect(await again.node.ownership.claim("s")).toMatchObject({
    access: { missing: "files", node: "unknown" },
  });
  await declareDead(again.node);
  const c = await start("c", PINNED);
  expect(((await c.node.ownership.claim("s")) as Owned).access).toBeUndefined();
  expect(await a.node.ownership.claim("s")).toMatchObject({ owner: { name: "c" } });
});

it("while its home goes away, what is free can be read at another node", async () => {
  const [a, b] = [await start("a", PINNED), await start("b", PINNED)];
  await a.node.ownership.release("s", await a.create("s"));
  await a.node.drain();
  expect(await b.node.ownership.claim("s")).toMatchObject({ access: { missing: "files", node: "a" } });
});
