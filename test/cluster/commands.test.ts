/** Commands sent to a node that does not have the session: of `/v1` and of every dialect, also while its owner is killed. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { SmithyClient } from "../agentsmithy/smithy-client.ts";
import { UnifiedClient } from "../unified/unified-client.ts";
import { dispatchedIn, untilAsked, untilIdle } from "./node-sessions.ts";
import { eventsAt, type TestNode, type TestNodeOptions } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
/** The session of a test. */
let s: string;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

/** A session at the first node, `s` from now on; the second is the one that is called. */
async function newSession(): Promise<{ owner: TestNode; other: TestNode }> {
  const [owner, other] = cluster.nodes as readonly [TestNode, TestNode];
  const request = { agent: "mock", options: { pace: 0 } };
  s = (await owner.client.call<{ id: string }>("POST", "/v1/sessions", request)).id;
  return { owner, other };
}

async function startTwo(options: Partial<TestNodeOptions> = {}): Promise<void> {
  await Promise.all([cluster.startNode(options), cluster.startNode(options)]);
}

function path(rest = ""): string {
  return `/v1/sessions/${s}${rest}`;
}

function textIn(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "text.delta" ? [event.delta] : [])).join("");
}

describe("/v1 at a node that does not have the session", () => {
  beforeAll(() => startTwo({ environment: { INTERLINGUA_CHECKPOINTS: "on" } }));
  afterAll(() => cluster.clear());

  it("prompts, edits the queue, stops, answers, goes back, copies and deletes", async () => {
    const { owner, other } = await newSession();
    const { client } = other;
    // The answer is that of the owner.
    expect(await client.call("GET", path())).toEqual(await owner.client.call("GET", path()));
    await client.prompt(s, "scenario:hang", "first");
    await eventually("it works", async () => (await eventsAt(other, s)).at(-1)?.type === "text.delta");
    for (const id of ["a", "b", "c"]) await client.prompt(s, `scenario:echo ${id}`, id);
    // Again, and with other content.
    expect(await client.prompt(s, "scenario:echo a", "a")).toMatchObject({ message: "a", state: "queued" });
    const differs = await client.request("POST", path("/messages"), { id: "a", text: "else" });
    expect(differs.status).toBe(409);
    expect(await differs.json()).toMatchObject({ code: "message_exists" });

    await client.call("PATCH", path("/queue/b"), { text: "scenario:echo changed" });
    await client.call("PATCH", path("/queue/c"), { before: "a" });
    expect((await client.request("DELETE", path("/queue/a"))).status).toBe(204);
    const { queue } = await client.call<{ queue: { message: string }[] }>("GET", path("/queue"));
    expect(queue.map(({ message }) => message)).toEqual(["c", "b"]);
    expect(await client.call("POST", path("/interrupt"), { hold: true })).toEqual({
      interrupted: true,
      held: true,
    });
    expect(await client.call("POST", path("/queue/release"))).toEqual({ released: true });
    const events = await untilIdle(other, s);
    expect(dispatchedIn(events)).toEqual(["first", "c", "b"]);
    expect(textIn(events)).toContain("changed");
    expect(events.at(-1)?.type).not.toBe("session.closed");

    await client.call("PATCH", path(), { title: "From elsewhere", model: "mock-2" });
    expect(await owner.client.call("GET", path())).toMatchObject({ title: "From elsewhere" });
    expect(await client.call("POST", path("/attach"))).toMatchObject({ attached: true });
    expect(await client.call("POST", path("/rewind"), { before: "b" })).toMatchObject({ before: "b" });
    const fork = await client.call<{ id: string; forkedFrom: object }>("POST", path("/fork"), {});
    expect(fork.forkedFrom).toEqual({ session: s });
    await client.prompt(fork.id, "scenario:recall");
    await untilIdle(other, fork.id);

    // Everything was done at the owner.
    expect((await owner.agents()).length).toBeGreaterThan(0);
    expect(await other.agents()).toEqual([]);
    expect((await client.request("DELETE", path())).status).toBe(204);
    expect((await owner.client.request("GET", path())).status).toBe(404);
    expect((await client.request("GET", path())).status).toBe(404);
    expect((await client.request("POST", path("/messages"), { text: "x" })).status).toBe(404);
  });

  it("creates what is asked for once, wherever it is asked for", async () => {
    const [a, b] = cluster.nodes as readonly [TestNode, TestNode];
    const request = { id: "once", agent: "mock", options: { pace: 0 } };
    const statuses = await Promise.all(
      [a, b, a, b, a, b].map(
        async ({ client }) => (await client.request("POST", "/v1/sessions", request)).status,
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    const differs = { ...request, options: { pace: 1 } };
    for (const { client } of [a, b])
      expect((await client.request("POST", "/v1/sessions", differs)).status).toBe(409);
    const made = await b.client.call<{ id: string }>("POST", "/v1/sessions", { agent: "mock" });
    expect(await a.client.call("GET", `/v1/sessions/${made.id}`)).toMatchObject({ id: made.id });
  });

  it("answers an ask: of two at once one wins, and the other is told who", async () => {
    const { owner, other } = await newSession();
    await other.client.prompt(s, "scenario:approve");
    const ask = await untilAsked(other, s);
    const reply = ({ client }: TestNode, answer: string) =>
      client.request("POST", path(`/asks/${ask}/reply`), { reply: answer });
    const answers = await Promise.all([reply(owner, "once"), reply(other, "reject")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers[0]!.status === 200 ? "once" : "reject";
    const lost = answers.find(({ status }) => status === 409)!;
    expect(await lost.json()).toMatchObject({ code: "ask_answered", answer: { effect: won } });
    // An equal answer succeeds at every node.
    for (const node of [owner, other]) expect((await reply(node, won)).status).toBe(200);
    await untilIdle(other, s);
  });

  it("keeps values of variables at the owner", async () => {
    const { owner, other } = await newSession();
    const { client } = other;
    const value = "a-value-that-nobody-may-see";
    await client.call("PATCH", path(), { env: { MY_KEY: value } });
    await client.prompt(s, "scenario:env:MY_KEY");
    const events = await untilIdle(other, s);
    expect(events.filter((event) => event.type === "turn.ended")).toMatchObject([{ outcome: "completed" }]);
    expect(textIn(events)).toContain("MY_KEY");
    expect(JSON.stringify(events)).not.toContain(value);
    expect(owner.log() + other.log()).not.toContain(value);
    expect(await client.call("GET", path())).toMatchObject({ env: ["MY_KEY"], envRequired: false });
  });

  it("takes files back", async () => {
    const { other } = await newSession();
    const { client } = other;
    await client.prompt(s, "scenario:files");
    const events = await untilIdle(other, s);
    const changed = join(cluster.root, "mock-written.txt");
    expect(existsSync(changed)).toBe(true);
    expect(events.some((event) => event.type === "checkpoint.created")).toBe(true);
    const { changes } = await client.call<{ changes: { path: string }[] }>("GET", path("/changes"));
    expect(changes.map((change) => change.path)).toContain("mock-written.txt");
    const { checkpoints } = await client.call<{ checkpoints: { id: string }[] }>("GET", path("/checkpoints"));
    const restored = await client.call("POST", path("/restore"), { checkpoint: checkpoints[0]!.id });
    expect(restored).toMatchObject({ restored: expect.arrayContaining(["mock-written.txt"]) });
    expect(existsSync(changed)).toBe(false);
    expect(await client.call("POST", path("/approve"))).toMatchObject({ checkpoint: expect.any(String) });
  });

  it("streams the turn of a prompt to its end", async () => {
    const { other } = await newSession();
    const response = await other.client.request("POST", path("/messages/stream"), { text: "scenario:text" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"type":"turn.ended"');
  });

  it("tells who may not what, as the owner would", async () => {
    const { owner, other } = await newSession();
    await owner.client.prompt(s, "scenario:hang", "first");
    await owner.client.prompt(s, "scenario:text", "second");
    const guest = await other.client.call<{ token: string }>("POST", "/v1/tokens", {
      name: "guest",
      role: "participant",
    });
    const call = (method: string, rest: string, body?: unknown) =>
      fetch(`${other.client.url}${path(rest)}`, {
        method,
        headers: { authorization: `Bearer ${guest.token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    expect((await call("POST", "/messages", { id: "third", text: "scenario:text" })).status).toBe(202);
    // Its own, but not ahead of that of another.
    const moved = await call("PATCH", "/queue/third", { before: "second" });
    expect(moved.status).toBe(403);
    expect(await moved.json()).toMatchObject({ code: "forbidden", detail: expect.stringContaining("guest") });
    expect((await call("POST", "/queue/third/send")).status).toBe(403);
    const { entries } = await other.client.call<{ entries: { outcome: string; by: string }[] }>(
      "GET",
      "/v1/audit?limit=100",
    );
    expect(entries.filter(({ outcome, by }) => outcome === "refused" && by === "guest")).toHaveLength(2);
  });
});

describe("dialects at a node that does not have the session", () => {
  beforeAll(() => startTwo());
  afterAll(() => cluster.clear());

  it("/api/chat: a new message, one that is edited, and an answer again", async () => {
    const { owner, other } = await newSession();
    const say = async (id: string, text: string, more: object = {}) => {
      const message = { id, role: "user", parts: [{ type: "text", text }] };
      const body = { id: s, messages: [message], trigger: "submit-message", ...more };
      const response = await other.client.request("POST", "/api/chat", body);
      expect(response.status).toBe(200);
      return response.text();
    };
    expect(await say("m1", "scenario:echo one")).toContain("one");
    expect(await say("m2", "scenario:echo two")).toContain("two");
    expect(await say("m2", "scenario:echo three", { messageId: "m2" })).toContain("three");
    expect(await say("m2", "scenario:echo three", { trigger: "regenerate-message" })).toContain("three");
    const events = await untilIdle(other, s);
    expect(dispatchedIn(events)).toEqual(["m1", "m2", "m2", "m2"]);
    expect(await other.agents()).toEqual([]);
    expect((await owner.agents()).length).toBeGreaterThan(0);
  });

  it("AgentSmithy: a dialog of another node", async () => {
    const { owner, other } = await newSession();
    const [there, here] = [owner, other].map(
      ({ client }) => new SmithyClient(`${client.url}/agentsmithy`, client.token),
    );
    const made = await there!.fetch("/api/dialogs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "There" }),
    });
    const { id } = (await made.json()) as { id: string };
    const { events } = await here!.say("scenario:text", { dialog_id: id });
    expect(events.at(-1)).toMatchObject({ type: "done" });
    const renamed = await here!.fetch(`/api/dialogs/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "Here" }),
    });
    expect(renamed.ok).toBe(true);
    expect((await (await there!.fetch(`/api/dialogs/${id}`)).json()) as object).toMatchObject({
      title: "Here",
    });
    expect(await other.agents()).toEqual([]);
  });

  it("UnifiedMessage: prompts, asks and stops", async () => {
    const { other } = await newSession();
    const client = await UnifiedClient.open(other.client, s);
    await client.prompt("scenario:text");
    await client.turns(1);
    await client.prompt("scenario:hang");
    await eventually("it works", async () => (await eventsAt(other, s)).at(-1)?.type === "text.delta");
    await client.request({ type: "interrupt", role: "user", content: [], metadata: {} });
    await client.turns(2);
    client.client.close();
    expect(dispatchedIn(await untilIdle(other, s))).toHaveLength(2);
    expect(await other.agents()).toEqual([]);
  });
});

it("the owner is killed in the middle of prompts: each is taken once, and none given to an agent twice", async () => {
  onTestFinished(() => cluster.clear());
  await startTwo();
  const { owner, other } = await newSession();
  await owner.client.prompt(s, "scenario:hang", "first");
  await eventually("it works", async () => (await eventsAt(owner, s)).at(-1)?.type === "text.delta");
  const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
  const send = (id: string) =>
    other.client.request("POST", path("/messages"), { id, text: "scenario:echo it" });
  const answers = await Promise.all(
    ids.map(async (id, index) => {
      if (index === 10) owner.kill("SIGKILL");
      const answer = await send(id);
      // On a busy machine the other node takes over later than it waits for that.
      return answer.status === 503 ? send(id) : answer;
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 202));
  const receipts = (await Promise.all(answers.map((answer) => answer.json()))) as { seq: number }[];
  const events = await untilIdle(other, s);
  for (const [index, { seq }] of receipts.entries())
    expect(events[seq - 1]).toMatchObject({ type: "prompt.accepted", message: ids[index] });
  const dispatched = dispatchedIn(events);
  expect(dispatched.toSorted()).toEqual(["first", ...ids].toSorted());
  expect(events.filter((event) => event.type === "turn.ended")[0]).toMatchObject({
    outcome: "interrupted",
    error: { code: "node_lost" },
  });
});

it("a session with an agent that no node knows is refused as on one daemon", async () => {
  onTestFinished(() => cluster.clear());
  const [{ client }] = await Promise.all([cluster.startNode(), cluster.startNode()]);
  const refused = await client.request("POST", "/v1/sessions", { agent: "mok" });
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({
    code: "agent_not_found",
    detail: expect.stringContaining('Did you mean "mock"?'),
  });
});

it("a session that asks for labels goes to a node that has them, and to no other", async () => {
  onTestFinished(() => cluster.clear());
  const [plain, large] = await Promise.all([
    cluster.startNode(),
    cluster.startNode({ labels: { gpu: "yes" } }),
  ]);
  const { client } = plain;
  const create = (nodeLabels: unknown) =>
    client.request("POST", "/v1/sessions", { agent: "mock", metadata: { nodeLabels } });
  const made = await create({ gpu: "yes" });
  expect(made.status).toBe(201);
  const { nodes: listed } = await large.client.call<{ nodes: object[] }>("GET", "/v1/nodes");
  expect(listed).toContainEqual(expect.objectContaining({ self: true, sessions: 1 }));
  const nowhere = await create({ gpu: "two" });
  expect(nowhere.status).toBe(503);
  expect(await nowhere.json()).toMatchObject({
    code: "node_unreachable",
    detail: expect.stringContaining('the labels {"gpu":"two"}'),
  });
  const wrong = await create("gpu");
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ errors: [{ path: "metadata.nodeLabels" }] });
});

it("a directory of another node: sessions are made, forked and prompted there, and 503 once it is gone", async () => {
  onTestFinished(() => cluster.clear());
  const [own, data] = [cluster.temporary(), cluster.temporary()];
  const { root } = cluster;
  mkdirSync(join(own, "project"));
  writeFileSync(join(own, "project", "notes.txt"), "x");
  symlinkSync("/etc", join(own, "out"));
  const startPinned = () => cluster.startNode({ data, root: own, files: "pinned" });
  const [other, pin] = [await cluster.startNode(), await startPinned()];
  const { client } = other;
  const cwd = join(own, "project");
  const refused = async (rest: string, body?: unknown) => {
    const response = await client.request(body === undefined ? "GET" : "POST", rest, body);
    const { code, detail } = (await response.json()) as { code: string; detail: string };
    return { status: response.status, code, detail };
  };
  const sessionsAt = async (node: TestNode) => {
    const view = await node.client.call<{ nodes: { self: boolean; sessions: number }[] }>("GET", "/v1/nodes");
    return view.nodes.find(({ self }) => self)?.sessions;
  };

  // Called at the node that does not have it.
  const made = await client.call<{ id: string; cwd: string }>("POST", "/v1/sessions", {
    ...{ agent: "mock", cwd, options: { pace: 0 } },
  });
  expect(made.cwd).toBe(cwd);
  s = made.id;
  const context = { type: "context", path: join(cwd, "notes.txt") };
  const said = { type: "text", text: "scenario:text" };
  await client.call("POST", path("/messages"), { parts: [said, context] });
  await untilIdle(pin, s);
  expect(await client.call("GET", path("/files?search=notes"))).toMatchObject({
    files: [{ path: "notes.txt" }],
  });
  const fork = await client.call<{ id: string; cwd: string }>("POST", path("/fork"), {});
  expect(fork.cwd).toBe(cwd);
  const moved = await client.call<{ id: string; cwd: string }>("POST", path("/fork"), { cwd: own });
  expect(moved.cwd).toBe(own);
  const message = { id: "m1", role: "user", parts: [{ type: "text", text: "scenario:text" }] };
  const chat = { id: "chat", agent: "mock", cwd, messages: [message], trigger: "submit-message" };
  expect((await client.request("POST", "/api/chat", chat)).status).toBe(200);
  expect([await sessionsAt(other), await sessionsAt(pin)]).toEqual([0, 4]);
  const listed = await client.call<{ directories: { path: string }[] }>("GET", "/v1/directories");
  expect(listed.directories.map((directory) => directory.path)).toEqual([root, own]);
  expect(await client.call("GET", `/v1/directories?path=${encodeURIComponent(own)}`)).toMatchObject({
    directories: [{ name: "project", path: cwd }],
  });

  // What counts are the roots of the node that has the session.
  const outside = { status: 403, code: "outside_roots" };
  expect(await refused("/v1/sessions", { agent: "mock", cwd: "/etc" })).toMatchObject({
    ...outside,
    detail: expect.stringContaining(`may work in: ${root}, ${own}. Start the node that has it`),
  });
  for (const wrong of [join(own, "out"), join(own, ".."), `${own}-beside`])
    expect(await refused("/v1/sessions", { agent: "mock", cwd: wrong })).toMatchObject(outside);
  for (const wrong of [join(root, "a.txt"), join(own, "out", "passwd")]) {
    const parts = [said, { type: "context", path: wrong }];
    expect(await refused(path("/messages"), { parts })).toMatchObject(outside);
  }
  expect(await refused(path("/fork"), { cwd: root })).toMatchObject({
    ...outside,
    detail: expect.stringContaining("a fork is made where its session is"),
  });

  pin.kill("SIGKILL");
  await eventually("it is declared dead", async () => {
    const { nodes: all } = await client.call<{ nodes: { state: string }[] }>("GET", "/v1/nodes");
    return all.some(({ state }) => state === "dead");
  });
  const gone = {
    ...{ status: 503, code: "node_unreachable" },
    detail: expect.stringMatching(/files of session .* are at the node ".*", which is gone or going away/),
  };
  // As it is free, and while another node has its log because it was read.
  for (let times = 0; times < 2; times += 1) {
    expect(await refused(path("/messages"), { text: "scenario:text" })).toMatchObject(gone);
    expect(await refused(path("/messages"), { parts: [said, context] })).toMatchObject(gone);
    expect(await refused(path("/fork"), {})).toMatchObject(gone);
    expect(await refused(path("/attach"), {})).toMatchObject(gone);
    expect(await refused(path("/files?search=notes"))).toMatchObject(gone);
    expect(await client.call("GET", path())).toMatchObject({ id: s, cwd });
  }
  expect(await refused("/v1/sessions", { agent: "mock", cwd })).toMatchObject({
    ...outside,
    detail: expect.stringContaining("Start the node that has it"),
  });

  const back = await startPinned();
  await eventually("it is prompted again", async () => {
    const response = await client.request("POST", path("/messages"), { id: "again", text: "scenario:text" });
    return response.status === 202;
  });
  await untilIdle(back, s);
});
