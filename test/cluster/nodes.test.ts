/** Real nodes on one PostgreSQL: killed, stopped beyond their lease, cut off, and told to go. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { run } from "../../src/cli/test-support.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { misbehavingAcpAgent } from "../../src/testkit/misbehaving-acp-agent/index.ts";
import { dataLines } from "../daemon-client.ts";
import type { FlakyProxy } from "./flaky-proxy.ts";
import { createSession, dispatchedIn, untilAgentWorks, untilAsked, untilIdle } from "./node-sessions.ts";
import { endNode, eventsAt, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let proxy: FlakyProxy;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

beforeEach(async () => {
  proxy = await cluster.startProxy();
});

afterEach(() => cluster.clear());

/** A node that reaches the database only by way of the proxy. */
function startBehindProxy(): Promise<TestNode> {
  return cluster.startNode({ store: cluster.storeBehind(proxy) });
}

/** A turn that stays open, and a prompt that waits behind it. */
async function openTurn(node: TestNode, session: string): Promise<void> {
  await createSession(node, session);
  await node.client.prompt(session, "scenario:hang", "first");
  await untilAgentWorks(node, session);
  await node.client.prompt(session, "scenario:text and then", "second");
}

function hasJoinedAnew(node: TestNode): boolean {
  return /was declared dead.*this node lives/s.test(node.log());
}

async function status({ client }: TestNode, session: string): Promise<number> {
  return (await client.request("GET", `/v1/sessions/${session}`)).status;
}

/** Both prompts were given to an agent once; the first turn was cut off, the second ran. */
function expectTakenOver(events: readonly SessionEvent[], code: string): void {
  expect(dispatchedIn(events)).toEqual(["first", "second"]);
  const ends = events.filter((event) => event.type === "turn.ended");
  expect(ends).toMatchObject([{ outcome: "interrupted", error: { code } }, { outcome: "completed" }]);
}

it("a node that is killed loses its sessions to another, which goes on with what waits", async () => {
  const [a, b] = await Promise.all([cluster.startNode(), cluster.startNode()]);
  await openTurn(a, "s");
  // What only its owner knows is asked there.
  expect(await b.client.call("GET", "/v1/sessions/s/queue")).toMatchObject({
    queue: [{ message: "second" }],
  });
  // What is stored is read from the database, wherever it is asked for.
  expect(await b.client.call("GET", "/v1/sessions")).toMatchObject({ sessions: [{ id: "s" }] });
  for (const what of ["events", "messages"]) {
    const path = `/v1/sessions/s/${what}`;
    expect(await b.client.call("GET", path)).toEqual(await a.client.call("GET", path));
  }

  const before = await a.client.events("s");
  a.kill("SIGKILL");
  const events = await untilIdle(b, "s");
  expectTakenOver(events, "node_lost");
  expect(events.slice(0, before.length)).toEqual(before.map((json) => JSON.parse(json)));
});

it("a node that is stopped beyond its lease finds its sessions gone: nothing of it is written, its agent is ended", async () => {
  const [a, b] = await Promise.all([cluster.startNode(), cluster.startNode()]);
  await openTurn(a, "s");
  const agents = await a.agents();
  expect(agents.length).toBeGreaterThan(0);
  a.kill("SIGSTOP");
  // It cannot look at its clock, so its reaper does.
  await eventually("its agents are stopped", async () =>
    (await a.agents()).every(({ state }) => state === "T"),
  );
  expectTakenOver(await untilIdle(b, "s"), "node_lost");
  const before = await b.client.events("s");
  a.kill("SIGCONT");
  await eventually("it has joined anew", async () => hasJoinedAnew(a) && (await status(a, "s")) === 200);
  await eventually("its agent is ended", async () => (await a.agents()).length === 0);
  expect(await b.client.events("s")).toEqual(before);
  // It works on.
  await createSession(a, "t");
  await a.client.prompt("t", "scenario:text");
  await untilIdle(a, "t");
});

it("a node that is cut off from the database freezes, and gives up what others have taken", async () => {
  const [a, b] = await Promise.all([startBehindProxy(), cluster.startNode()]);
  await openTurn(a, "s");
  proxy.refuses = true;
  proxy.cut();
  await eventually("its agents are stopped", async () =>
    (await a.agents()).every(({ state }) => state === "T"),
  );
  const refused = await a.client.request("POST", "/v1/sessions/s/messages", { text: "hello" });
  expect([503, 507]).toContain(refused.status);
  expectTakenOver(await untilIdle(b, "s"), "node_lost");
  const before = await b.client.events("s");
  proxy.refuses = false;
  await eventually("it has joined anew", async () => hasJoinedAnew(a) && (await status(a, "s")) === 200);
  await eventually("its agent is ended", async () => (await a.agents()).length === 0);
  expect(await b.client.events("s")).toEqual(before);
});

it("a database that is away for longer than the lease costs no turn", async () => {
  const [a, b] = await Promise.all([startBehindProxy(), startBehindProxy()]);
  await createSession(a, "s");
  await createSession(b, "t");
  await a.client.prompt("s", "scenario:approve");
  const asked = await untilAsked(a, "s");
  proxy.refuses = true;
  proxy.cut();
  const isFrozen = async () => {
    const agents = await a.agents();
    return agents.length > 0 && agents.every(({ state }) => state === "T");
  };
  await eventually("the agents are stopped", isFrozen);
  // Long enough for anybody to be declared dead who could be.
  const frozenAt = performance.now();
  await eventually("the lease is long over", () => performance.now() > frozenAt + 6000);
  proxy.refuses = false;
  await eventually("the agents go on", async () => !(await isFrozen()));
  await eventually("the answer is taken", async () => {
    const path = `/v1/sessions/s/asks/${asked}/reply`;
    return (await a.client.request("POST", path, { reply: "once" })).ok;
  });
  const events = await untilIdle(a, "s");
  expect(events.filter((event) => event.type === "turn.ended")).toMatchObject([{ outcome: "completed" }]);
  await untilIdle(b, "t");
  for (const node of [a, b]) expect(node.log()).not.toContain("declared dead");
});

it("a node that is told to go frees its sessions, and others go on with them", async () => {
  const [a, b] = await Promise.all([cluster.startNode(), cluster.startNode()]);
  await openTurn(a, "s");
  await endNode(a, "SIGTERM");
  expect(a.child.exitCode).toBe(0);
  expectTakenOver(await untilIdle(b, "s"), "daemon_restarted");
});

it("a node that is started again after it was killed has its sessions back, and waits for nobody", async () => {
  const data = cluster.temporary();
  const a = await cluster.startNode({ data });
  await openTurn(a, "s");
  await endNode(a, "SIGKILL");
  const again = await cluster.startNode({ data });
  expect(await status(again, "s")).toBe(200);
  expectTakenOver(await untilIdle(again, "s"), "daemon_restarted");
});

it("a daemon that wants the database alone is refused beside nodes, and a node beside it", async () => {
  const node = await cluster.startNode();
  const options = { environment: { INTERLINGUA_STORE: cluster.store }, cwd: cluster.root };
  const alone = await run(["serve", "--port", "0", "--data", cluster.temporary()], options);
  expect(alone.code).toBe(1);
  expect(alone.stderr).toContain(
    "nodes work with this database, and this daemon has no INTERLINGUA_CLUSTER_SECRET",
  );
  await endNode(node, "SIGTERM");
  const secret = { INTERLINGUA_CLUSTER_SECRET: "too short" };
  const weak = await run(["serve", "--port", "0", "--data", cluster.temporary()], {
    environment: { ...options.environment, ...secret },
  });
  expect(weak.code).toBe(2);
  expect(weak.stderr).toContain("INTERLINGUA_CLUSTER_SECRET: it must have 32 bytes at least");
  const bare = await run(
    ["serve", "--port", "0", "--data", cluster.temporary(), "--advertise", "http://10.0.0.7:4112"],
    {
      environment: { ...options.environment, INTERLINGUA_CLUSTER_SECRET: "only-for-tests-".repeat(3) },
    },
  );
  expect(bare.code).toBe(2);
  expect(bare.stderr).toContain("or --cluster-insecure where the network is yours alone");
  const nowhere = await run(["serve", "--port", "0", "--data", cluster.temporary()], { environment: secret });
  expect(nowhere.stderr).toContain("Name it in INTERLINGUA_STORE");
});

it("where only the lost node has the files, streams of running and waiting prompts end and say why", async () => {
  const data = cluster.temporary();
  const pinned = { files: "pinned", data, root: cluster.temporary() } as const;
  const a = await cluster.startNode({ ...pinned, name: "a" });
  const b = await cluster.startNode({ files: "pinned", root: cluster.temporary(), name: "b" });
  await createSession(a, "s");
  const chat = async (id: string, text: string) => {
    const message = { id, role: "user", parts: [{ type: "text", text }] };
    return linesOf(await b.client.request("POST", "/api/chat", { id: "s", message }));
  };
  const running = chat("first", "scenario:hang");
  await untilAgentWorks(b, "s");
  const waiting = chat("second", "scenario:text second");
  const path = "/v1/sessions/s/messages/stream";
  const prompt = b.client.request("POST", path, { text: "scenario:text third", id: "third" }).then(linesOf);
  await eventually("both wait", async () => {
    const { queue } = await b.client.call<{ queue: unknown[] }>("GET", "/v1/sessions/s/queue");
    return queue.length === 2;
  });
  a.kill("SIGKILL");
  expect((await running).at(-1)).toBe("[DONE]");
  expect((await waiting).join()).toContain(
    'The files of this session are at the node \\"a\\", which is gone',
  );
  expect((await prompt).join()).toContain('"waitingFor":"node"');

  const again = await cluster.startNode({ ...pinned, name: "a" });
  const dispatched = dispatchedIn(await untilIdle(again, "s"));
  expect(dispatched.toSorted()).toEqual(["first", "second", "third"]);
});

async function linesOf(response: Response): Promise<string[]> {
  expect(response.status).toBe(200);
  const lines: string[] = [];
  for await (const line of dataLines(response)) lines.push(line);
  return lines;
}

const OWN = { own: { protocol: "acp", command: Object.values(misbehavingAcpAgent()).flat() } } as const;

function typesOf(events: readonly SessionEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** A session with an agent that only some nodes have: a turn that stays open, and a prompt that waits behind it. */
async function openOwnTurn(node: TestNode): Promise<void> {
  await node.client.call("POST", "/v1/sessions", { id: "s", agent: "own" });
  await node.client.prompt("s", "endless", "first");
  await eventually("the agent works", async () => typesOf(await eventsAt(node, "s")).includes("text.delta"));
  await node.client.prompt("s", "text", "second");
}

it("where no node has the agent its turn ends, and what waits runs when one comes", async () => {
  const [a, b] = [await cluster.startNode({ agents: OWN }), await cluster.startNode()];
  await openOwnTurn(a);
  a.kill("SIGKILL");
  await eventually("its turn has ended", async () => typesOf(await eventsAt(b, "s")).includes("turn.ended"));
  const notice = { type: "notice", code: "agent" };
  await eventually("it is said", async () => typesOf(await eventsAt(b, "s")).includes("notice"));
  expect((await eventsAt(b, "s")).at(-1)).toMatchObject(notice);
  const refused = await b.client.request("POST", "/v1/sessions/s/messages", { text: "text" });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    code: "node_unreachable",
    detail: expect.stringMatching(/no node has the agent "own".* Start one/i),
  });
  // It is read there, as often as somebody wants.
  const read = () => b.client.call("GET", "/v1/sessions/s");
  expect(await b.client.call("GET", "/v1/sessions/s/queue")).toMatchObject({
    queue: [{ message: "second" }],
  });
  const c = await cluster.startNode({ agents: OWN });
  await eventually("it goes on while it is read", async () => {
    await read();
    return typesOf(await eventsAt(b, "s")).filter((type) => type === "turn.ended").length === 2;
  });
  const events = await untilIdle(c, "s");
  expectTakenOver(events, "node_lost");
  expect(events.filter((event) => event.type === "notice" && event.code === "agent")).toHaveLength(1);
  expect(await b.agents()).toEqual([]);
});
