/** What whoever runs several nodes sees and does: real daemons, started from the command line. */
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { run, type Served, serve, start as startCommand } from "../../src/cli/test-support.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { NodeView } from "../../src/core/nodes.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";
import { createSession, dispatchedIn, findListed } from "./node-sessions.ts";
import { TestCluster } from "./test-cluster.ts";

interface Node extends Served {
  readonly client: DaemonClient;
  readonly data: string;
}

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

const SECRET = "only-for-tests-".repeat(3);

function environment(): Record<string, string> {
  return {
    INTERLINGUA_STORE: cluster.store,
    INTERLINGUA_CLUSTER_SECRET: SECRET,
    INTERLINGUA_TOKEN: "a-token-of-all-nodes",
  };
}

function start(name: string, data = cluster.temporary(), own: Record<string, string> = {}): Promise<Node> {
  const args = ["--node-name", name, "--data", data, "--shared-root", cluster.root];
  return serveIn(data, args, { ...environment(), ...own });
}

async function serveIn(data: string, args: string[], variables: Record<string, string> = {}): Promise<Node> {
  const served = await serve(args, { environment: variables, cwd: cluster.root });
  cluster.defer(() => {
    served.child.kill("SIGKILL");
    return served.ended;
  });
  return { ...served, client: new DaemonClient(served), data };
}

/** How a start ends that is refused. */
function refusedStart(data: string, own: Record<string, string> = {}) {
  const args = ["serve", "--port", "0", "--data", data, "--root", cluster.root];
  return run(args, { environment: { ...environment(), ...own }, cwd: cluster.root });
}

async function list({ client }: Pick<Node, "client">): Promise<NodeView[]> {
  return (await client.call<{ nodes: NodeView[] }>("GET", "/v1/nodes")).nodes;
}

async function stateOf(name: string, asked: Node): Promise<string | undefined> {
  return (await list(asked)).find((node) => node.name === name)?.state;
}

/** Without a token. */
async function probe({ url }: Node, which: "live" | "ready"): Promise<[number, unknown]> {
  const response = await fetch(`${url}/v1/health/${which}`);
  return [response.status, await response.json()];
}

async function events({ client }: Node, session: string): Promise<SessionEvent[]> {
  const path = `/v1/sessions/${session}/events?limit=1000`;
  return (await client.call<{ events: SessionEvent[] }>("GET", path)).events;
}

/** A turn that goes on until its ask is answered. */
async function beginAsking(node: Node, session: string): Promise<string> {
  await createSession(node, session);
  await node.client.prompt(session, "scenario:approve", "first");
  const asks = async () =>
    (await node.client.call<{ asks: { ask: string }[] }>("GET", `/v1/asks?session=${session}`)).asks;
  await eventually("the ask", async () => (await asks()).length > 0);
  return (await asks())[0]!.ask;
}

async function isIdle(node: Node, session: string): Promise<boolean> {
  const found = await findListed(node, session);
  return found?.status === "idle" && found.queued === 0;
}

function endsOf(log: readonly SessionEvent[]) {
  return log.flatMap((event) =>
    event.type === "turn.ended" ? [{ outcome: event.outcome, code: event.error?.code }] : [],
  );
}

it("a daemon alone is one node, live and ready", async () => {
  const data = cluster.temporary();
  const node = await serveIn(data, ["--data", data, "--root", cluster.root, "--node-name", "only"]);
  await createSession(node, "s");
  const alone = { id: 1, name: "only", url: node.url, state: "live", agents: 0, maxAgents: 64, self: true };
  expect(await list(node)).toEqual([{ ...alone, sessions: 1 }]);
  expect(await probe(node, "live")).toMatchObject([200, { status: "ok" }]);
  expect(await probe(node, "ready")).toMatchObject([200, { status: "ok" }]);
  // There is nobody to name.
  expect(await node.client.call("GET", "/v1/sessions/s")).not.toHaveProperty("node");
  expect((await node.client.request("GET", "/v1/nodes")).headers.get("content-type")).toContain("json");
  expect((await fetch(`${node.url}/v1/nodes`)).status).toBe(401);
});

it("two nodes of one name are told apart by their numbers: in views, lists, the feed, metrics and the command line", async () => {
  const [a, b] = await Promise.all([start("box"), start("box")]);
  const [first, second] = await Promise.all(
    [a, b].map(async (node) => (await list(node)).find(({ self }) => self)!.id),
  );
  expect(first).not.toBe(second);
  await Promise.all([createSession(a, "s"), createSession(b, "t")]);
  const [s, t] = [
    { node: "box", nodeNumber: first },
    { node: "box", nodeNumber: second },
  ];
  for (const { client } of [a, b]) {
    expect(await client.call("GET", "/v1/sessions/s")).toMatchObject(s);
    expect(await client.call("GET", "/v1/sessions")).toMatchObject({
      sessions: expect.arrayContaining([expect.objectContaining(s), expect.objectContaining(t)]),
    });
    const feed = await client.request("GET", "/v1/feed/sse");
    for await (const line of dataLines(feed)) {
      expect(JSON.parse(line)).toMatchObject({
        type: "snapshot",
        sessions: expect.arrayContaining([
          expect.objectContaining({ session: "s", ...s }),
          expect.objectContaining({ session: "t", ...t }),
        ]),
      });
      break;
    }
  }
  const metrics = await (await b.client.request("GET", "/metrics")).text();
  expect(metrics).toContain(`\ninterlingua_node_info{node="box",nodeNumber="${second}"} 1\n`);
  const cli = async (...args: string[]) =>
    (await run([...args, "--url", b.url], { environment: { INTERLINGUA_TOKEN: b.token } })).stdout;
  const listed = await cli("sessions");
  expect(listed).toMatch(/^ID +AGENT +STATUS +NODE +EVENTS/);
  expect(listed).toMatch(new RegExp(`\\ns +mock +\\w+ +box #${first} `));
  expect(await cli("sessions", "show", "t")).toMatch(new RegExp(`\\nNode +box \\(number ${second}\\)\\n`));
});

it("nodes see each other: live, frozen, dead, and gone; lists and the feed name the node of a session", async () => {
  const [a, b] = await Promise.all([start("a"), start("b")]);
  await createSession(a, "s");
  await a.client.prompt("s", "scenario:text");
  await eventually("the turn has ended", () => isIdle(a, "s"));
  expect(await a.client.call("GET", "/v1/sessions/s")).toMatchObject({ node: "a" });
  expect(await b.client.call("GET", "/v1/sessions")).toMatchObject({ sessions: [{ id: "s", node: "a" }] });
  await eventually("the agent of a is counted", async () => {
    const [first, second] = (await list(b)).sort((x, y) => x.name.localeCompare(y.name));
    return first?.agents === 1 && first.sessions === 1 && second?.sessions === 0;
  });
  expect((await list(b)).filter(({ self }) => self)).toMatchObject([{ name: "b", state: "live" }]);
  const cli = await run(["nodes", "--url", b.url], { environment: { INTERLINGUA_TOKEN: b.token } });
  expect(cli.stdout).toMatch(/^NODE +NAME +STATE +SESSIONS +AGENTS +ADDRESS FOR NODES/);
  expect(cli.stdout).toMatch(/\n\d+ +a +live +1 +1 of 64/);
  expect(cli.stdout).toMatch(/\n\d+ \* +b +live +0 +0 of 64/);
  const json = await run(["nodes", "--json", "--url", b.url], {
    environment: { INTERLINGUA_TOKEN: b.token },
  });
  expect(JSON.parse(json.stdout)).toHaveLength(2);

  // That address is not for clients, and says so.
  const wrong = (await list(b)).find(({ name }) => name === "a")!.url!;
  const misled = await run(["sessions", "--url", wrong], { environment: { INTERLINGUA_TOKEN: b.token } });
  expect(misled).toMatchObject({ code: 1, stderr: expect.stringContaining("This port is for other nodes.") });

  const feed = await b.client.request("GET", "/v1/feed/sse");
  for await (const line of dataLines(feed)) {
    expect(JSON.parse(line)).toMatchObject({ type: "snapshot", sessions: [{ session: "s", node: "a" }] });
    break;
  }

  const c = await start("c");
  await eventually("c lives", async () => (await stateOf("c", b)) === "live");
  a.child.kill("SIGSTOP");
  c.child.kill("SIGKILL");
  for (const name of ["a", "c"])
    await eventually(`${name} is seen frozen`, async () => (await stateOf(name, b)) === "frozen");
  for (const name of ["a", "c"])
    await eventually(`${name} is seen dead`, async () => (await stateOf(name, b)) === "dead");
  expect((await list(b)).find(({ name }) => name === "a")?.agents).toBe(0);
  // Its agent is attached in the log, so another one takes it up.
  await eventually("s is at b", async () => {
    const { sessions } = await b.client.call<{ sessions: { node?: string }[] }>("GET", "/v1/sessions");
    return sessions[0]?.node === "b";
  });
  a.child.kill("SIGCONT");
  // Under a new number: the old one is not listed any more.
  await eventually("a lives again", async () => (await stateOf("a", b)) === "live");
  expect((await list(b)).filter(({ name }) => name === "a")).toHaveLength(1);

  // One that is started again is not dead any more, and who has left is no fault.
  const again = await start("c", c.data);
  expect(await stateOf("c", b)).toBe("live");
  for (const node of [a, again]) node.child.kill("SIGTERM");
  for (const node of [a, again]) expect((await node.ended).code).toBe(0);
  expect((await list(b)).map(({ name }) => name)).toEqual(["b"]);
  const metrics = await (await b.client.request("GET", "/metrics")).text();
  expect(metrics).toContain("\ninterlingua_lease_held 1\n");
  expect(metrics).toMatch(/\ninterlingua_beats_total [1-9]/);
  expect(metrics).toMatch(/\ninterlingua_nodes_declared_dead_total 2\n/);
  expect(metrics).toMatch(/\ninterlingua_takeovers_total [1-9]/);
});

it("SIGTERM: what is idle goes at once, a turn may end, and what waits behind it runs elsewhere", async () => {
  const [a, b] = await Promise.all([start("a"), start("b")]);
  await createSession(a, "idle");
  await a.client.prompt("idle", "scenario:text");
  await eventually("the first is idle", () => isIdle(a, "idle"));
  const ask = await beginAsking(a, "busy");
  await a.client.prompt("busy", "scenario:text and then", "second");
  const stream = await a.client.request("GET", "/v1/sessions/busy/events/sse");
  const streamed: SessionEvent[] = [];
  const streaming = (async () => {
    for await (const line of dataLines(stream)) streamed.push(JSON.parse(line) as SessionEvent);
  })().catch(() => {});

  a.child.kill("SIGTERM");
  await eventually("a is draining", async () => (await stateOf("a", b)) === "draining");
  expect(await probe(a, "live")).toMatchObject([200, { status: "ok" }]);
  expect(await probe(a, "ready")).toMatchObject([503, { status: "draining" }]);
  expect(await probe(b, "ready")).toMatchObject([200, { status: "ok" }]);
  await eventually("the idle one is free", async () => (await findListed(b, "idle"))?.node === undefined);
  // It works at the other one, while the first still has a turn.
  await b.client.prompt("idle", "scenario:text again", "later");
  await eventually("it ran there", () => isIdle(b, "idle"));
  // What is asked of it is done elsewhere.
  await createSession(a, "new");
  for (const session of ["idle", "new"])
    expect(await a.client.call("GET", `/v1/sessions/${session}`)).toMatchObject({ node: "b" });
  expect(await a.client.call("GET", "/v1/sessions/busy")).toMatchObject({ status: "waiting", node: "a" });

  await a.client.call("POST", `/v1/sessions/busy/asks/${ask}/reply`, { reply: "once" });
  expect((await a.ended).code).toBe(0);
  await streaming;
  await eventually("what waited ran at b", () => isIdle(b, "busy"));
  const log = await events(b, "busy");
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(dispatchedIn(log)).toEqual(["first", "second"]);
  expect(endsOf(log)).toEqual([
    { outcome: "completed", code: undefined },
    { outcome: "completed", code: undefined },
  ]);
  // The stream ended last: it had the end of the turn.
  expect(streamed.some(({ type }) => type === "turn.ended")).toBe(true);
  const detached = log.find((event) => event.type === "session.detached");
  expect(detached).toMatchObject({ reason: "idle" });
});

it("a turn that takes longer than drainMs is interrupted, node_draining, and what waits runs elsewhere", async () => {
  const data = cluster.temporary();
  writeFileSync(join(data, "config.json"), JSON.stringify({ limits: { drainMs: 500 } }));
  const [a, b] = await Promise.all([start("a", data), start("b")]);
  await beginAsking(a, "s");
  await a.client.prompt("s", "scenario:text and then", "second");
  const stopping = startCommand(["stop", "--data", data]);
  expect((await a.ended).code).toBe(0);
  expect((await stopping.ended).stdout).toContain("has ended");
  await eventually("what waited ran at b", () => isIdle(b, "s"));
  const log = await events(b, "s");
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(dispatchedIn(log)).toEqual(["first", "second"]);
  expect(endsOf(log)).toEqual([
    { outcome: "interrupted", code: "node_draining" },
    { outcome: "completed", code: undefined },
  ]);
});

it("stop says that a node lets its turns end, and stop --now does not wait", async () => {
  const [a, b] = await Promise.all([start("a"), start("b")]);
  await beginAsking(a, "s");
  const stopping = startCommand(["stop", "--data", a.data]);
  await eventually("the note", () => stopping.stderr().includes("lets its turns end"));
  expect(await stateOf("a", b)).toBe("draining");
  // A second one only waits, too.
  const second = startCommand(["stop", "--data", a.data]);
  await eventually("its note", () => second.stderr().includes("lets its turns end"));
  expect(await probe(a, "ready")).toMatchObject([503, { status: "draining" }]);
  expect(await a.client.call("GET", "/v1/sessions/s")).toMatchObject({ status: "waiting", node: "a" });
  const now = await run(["stop", "--now", "--data", a.data]);
  expect(now.code).toBe(0);
  for (const { ended } of [stopping, second]) expect((await ended).stdout).toContain("has ended");
  await a.ended;
});

it("a copy of a data directory is refused while the original lives, and says what to do", async () => {
  const a = await start("a");
  const b = await start("b");
  const copy = join(cluster.temporary(), "copy");
  cpSync(b.data, copy, { recursive: true });
  const refused = await refusedStart(copy);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`The data directory ${copy} has the id of a node that works elsewhere`);
  expect(refused.stderr).toContain(`delete ${copy}/daemon-id`);
  expect((await list(a)).map(({ state }) => state)).toEqual(["live", "live"]);
  // What it says helps.
  rmSync(join(copy, "daemon-id"));
  await start("c", copy);
  await eventually("all three live", async () => (await list(a)).every(({ state }) => state === "live"));
  expect(await list(a)).toHaveLength(3);
});

it("a copy takes the place of an original that is silent, which says so when it comes back, and ends", async () => {
  const a = await start("a");
  const copy = join(cluster.temporary(), "copy");
  cpSync(a.data, copy, { recursive: true });
  a.child.kill("SIGSTOP");
  const b = await start("b", copy);
  a.child.kill("SIGCONT");
  const ended = await a.ended;
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`The data directory ${a.data} has the id of a node that works elsewhere`);
  expect(ended.stderr).toContain("stop that and delete daemon-id there");
  expect(await list(b)).toMatchObject([{ name: "b", state: "live" }]);
});

it("a node with another secret is refused while one lives, and not when that was killed", async () => {
  const a = await start("a");
  const other = { INTERLINGUA_CLUSTER_SECRET: "another-secret-".repeat(3) };
  const data = cluster.temporary();
  const refused = await refusedStart(data, other);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^interlingua: The node "a" .number \d+. works with this database and has another cluster secret\./m,
  );
  expect(refused.stderr).not.toContain("this node lives");
  expect(refused.stderr).not.toContain("-secret-");
  expect((await list(a)).map(({ name }) => name)).toEqual(["a"]);
  a.child.kill("SIGKILL");
  await a.ended;
  const b = await start("b", data, other);
  expect((await list(b)).find(({ name }) => name === "b")).toMatchObject({ state: "live" });
});
