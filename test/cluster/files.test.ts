/** Files of sessions where several real nodes have them: shared or pinned roots, checkpoints, restores that are cut off. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { createSession, dispatchedIn, findListed, untilAgentWorks, untilIdle } from "./node-sessions.ts";
import { endNode, eventsAt, type TestNode, type TestNodeOptions } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
let root: string;
let kept: string;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

beforeEach(() => {
  root = cluster.root;
  kept = cluster.temporary();
});

afterEach(() => cluster.clear());

function start(options: Partial<TestNodeOptions> = {}): Promise<TestNode> {
  return cluster.startNode({ checkpoints: true, ...options });
}

/** With one place for the checkpoints of all. */
function startSharing(options: Partial<TestNodeOptions> = {}): Promise<TestNode> {
  return start({ checkpointDirectory: kept, ...options });
}

interface Problem {
  status: number;
  code: string;
  detail: string;
  session?: { id: string };
}

async function refused({ client }: TestNode, path: string, body?: unknown): Promise<Problem> {
  const response = await client.request(body === undefined ? "GET" : "POST", `/v1/sessions/${path}`, body);
  expect(response.ok).toBe(false);
  return { ...((await response.json()) as Problem), status: response.status };
}

function create(node: TestNode, id: string): Promise<void> {
  return createSession(node, id, { cwd: root });
}

async function typesAt(node: TestNode, session: string): Promise<string[]> {
  return (await eventsAt(node, session)).map(({ type }) => type);
}

async function turn(node: TestNode, session: string, text: string): Promise<void> {
  const count = async () => (await typesAt(node, session)).filter((type) => type === "turn.ended").length;
  const before = await count();
  await node.client.prompt(session, text);
  await eventually("the turn has ended", async () => (await count()) > before);
}

/** A turn that stays open. */
async function hang(node: TestNode, session: string): Promise<void> {
  await create(node, session);
  await node.client.prompt(session, "scenario:hang");
  await untilAgentWorks(node, session);
}

interface CheckpointView {
  id: string;
  kind: string;
  dropped?: true;
  elsewhere?: string;
}

async function checkpointsAt({ client }: TestNode, session: string): Promise<CheckpointView[]> {
  const path = `/v1/sessions/${session}/checkpoints`;
  return (await client.call<{ checkpoints: CheckpointView[] }>("GET", path)).checkpoints;
}

async function firstAt(node: TestNode, session: string): Promise<string> {
  return (await checkpointsAt(node, session))[0]!.id;
}

interface Restored {
  restored: string[];
  kept?: string[];
}

async function restore(node: TestNode, session: string, more: object = {}): Promise<Restored> {
  const checkpoint = await firstAt(node, session);
  return node.client.call("POST", `/v1/sessions/${session}/restore`, { checkpoint, ...more });
}

const read = (name: string) => readFileSync(join(root, name), "utf8");

function assertRepositoriesWhole(): void {
  for (const name of readdirSync(kept).filter((each) => /^[0-9a-f]{32}$/.test(each)))
    execFileSync("git", ["--git-dir", join(kept, name), "fsck", "--full", "--strict"], { stdio: "pipe" });
}

it("what a turn at one node changed is restored at another, from checkpoints that both have", async () => {
  writeFileSync(join(root, "mine.txt"), "mine\n");
  const [a, b] = [await startSharing(), await startSharing()];
  await create(a, "s");
  await turn(a, "s", "scenario:files");
  expect(existsSync(join(root, "mock-written.txt"))).toBe(true);
  await endNode(a, "SIGTERM");
  const changes = await b.client.call<{ changes: { path: string }[] }>("GET", "/v1/sessions/s/changes");
  expect(changes.changes.map(({ path }) => path)).toContain("mock-written.txt");
  const { restored } = await restore(b, "s");
  expect(restored.toSorted()).toEqual(["mock-by-shell.txt", "mock-written.txt"]);
  expect(existsSync(join(root, "mock-written.txt"))).toBe(false);
  expect(read("mine.txt")).toBe("mine\n");
  // And undone again, after the other one is back and has it.
  await turn(b, "s", "scenario:files");
  expect((await checkpointsAt(b, "s")).some(({ dropped, elsewhere }) => dropped || elsewhere)).toBe(false);
  assertRepositoriesWhole();
});

it("a checkpoint that only another node has is named as such, and nothing else is done instead", async () => {
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const identity = ["-c", "user.name=me", "-c", "user.email=me@localhost"];
  execFileSync("git", [...identity, "commit", "--quiet", "--allow-empty", "-m", "first"], { cwd: root });
  const [a, b] = [await start(), await start()];
  await create(a, "s");
  await a.client.prompt("s", "scenario:files", "m1");
  await eventually("the turn has ended", async () => (await typesAt(a, "s")).includes("turn.ended"));
  const [first] = await checkpointsAt(a, "s");
  const text = read("mock-written.txt");
  await endNode(a, "SIGTERM");

  const [event] = (await untilIdle(b, "s")).filter((each) => each.type === "checkpoint.created");
  const name = event!.keptAt!.name;
  for (const each of await checkpointsAt(b, "s")) expect(each).toMatchObject({ elsewhere: name });
  const expected = { status: 409, code: "checkpoint_elsewhere", detail: expect.stringContaining(name) };
  expect(await refused(b, "s/restore", { checkpoint: first!.id })).toMatchObject(expected);
  expect(await refused(b, "s/restore", { checkpoint: first!.id, preview: true })).toMatchObject(expected);
  expect(await refused(b, "s/reset", {})).toMatchObject(expected);
  expect(await refused(b, "s/changes")).toMatchObject(expected);
  expect(await refused(b, `s/changes?since=${first!.id}`)).toMatchObject(expected);
  expect(await refused(b, "s/fork", { before: "m1", worktree: true })).toMatchObject(expected);
  expect(read("mock-written.txt")).toBe(text);

  // What is done here from now on can be undone here.
  await turn(b, "s", "scenario:files");
  const here = (await checkpointsAt(b, "s")).find(({ elsewhere }) => elsewhere === undefined)!;
  await b.client.call("POST", "/v1/sessions/s/restore", { checkpoint: here.id });
  expect(read("mock-written.txt")).toBe(text);
});

it("while an agent works at one node, nothing is restored there at another", async () => {
  const [a, b] = [await startSharing(), await startSharing()];
  await create(b, "t");
  await turn(b, "t", "scenario:files");
  await hang(a, "s");
  expect(await refused(b, "t/restore", { checkpoint: await firstAt(b, "t") })).toMatchObject({
    code: "workspace_busy",
    session: { id: "s" },
  });
  expect(existsSync(join(root, "mock-written.txt"))).toBe(true);
  await a.client.call("POST", "/v1/sessions/s/interrupt", {});
  await untilIdle(a, "s");
  await restore(b, "t");
  expect(existsSync(join(root, "mock-written.txt"))).toBe(false);
});

it("of turns at two nodes in one directory neither takes the other's work back", async () => {
  const [a, b] = [await startSharing(), await startSharing()];
  await hang(a, "s");
  await create(b, "t");
  await turn(b, "t", "scenario:files");
  await a.client.call("POST", "/v1/sessions/s/interrupt", {});
  await untilIdle(a, "s");
  // All that s saw change was said or may have been done by t.
  expect(await refused(a, "s/restore", { checkpoint: await firstAt(a, "s") })).toMatchObject({
    code: "workspace_conflict",
  });
  expect(await restore(a, "s", { onConflict: "keep" })).toMatchObject({ restored: [] });
  expect(existsSync(join(root, "mock-written.txt"))).toBe(true);
  // t takes back what it said it did. What nobody spoke of may have been s.
  const { restored, kept: left } = await restore(b, "t", { onConflict: "keep" });
  expect({ restored, left }).toEqual({ restored: ["mock-written.txt"], left: ["mock-by-shell.txt"] });
  expect(existsSync(join(root, "mock-by-shell.txt"))).toBe(true);
});

it("a session of a pinned root waits for its node: what is open there ends, and nothing begins elsewhere", async () => {
  const data = cluster.temporary();
  const a = await start({ data, files: "pinned" });
  // As in another container: the same path and kernel, another directory.
  const b = await start({ files: "pinned", mounted: cluster.temporary() });
  await hang(a, "s");
  await a.client.prompt("s", "scenario:text and then", "second");
  await endNode(a, "SIGKILL");
  const endsAt = async () => {
    const response = await b.client.request("GET", "/v1/sessions/s");
    return response.ok ? (await eventsAt(b, "s")).filter(({ type }) => type === "turn.ended") : [];
  };
  await eventually("its turn has ended", async () => (await endsAt()).length === 1);
  expect(await endsAt()).toMatchObject([{ outcome: "interrupted", error: { code: "node_lost" } }]);
  expect(await refused(b, "s/messages", { text: "hello" })).toMatchObject({
    status: 503,
    code: "node_unreachable",
  });
  expect(await refused(b, "s/fork", {})).toMatchObject({ code: "node_unreachable" });
  expect(await refused(b, "s/attach", {})).toMatchObject({ code: "node_unreachable" });
  expect(await refused(b, "s/changes")).toMatchObject({ status: 409, code: "checkpoint_elsewhere" });
  for (const each of await checkpointsAt(b, "s")) expect(each.elsewhere).toBeDefined();
  const queue = await b.client.call<{ queue: { message: string }[] }>("GET", "/v1/sessions/s/queue");
  expect(JSON.stringify(queue)).toContain("second");
  const notices = (await eventsAt(b, "s")).filter((each) => each.type === "notice" && each.code === "files");
  expect(notices).toHaveLength(1);
  expect(await b.agents()).toEqual([]);

  const back = await start({ data, files: "pinned" });
  const events = await untilIdle(back, "s");
  expect(dispatchedIn(events)).toContain("second");
  expect(events.filter(({ type }) => type === "turn.ended").at(-1)).toMatchObject({ outcome: "completed" });
  expect(events.filter((each) => each.type === "notice" && each.code === "files")).toHaveLength(1);
  expect(await b.agents()).toEqual([]);
});

it("a session of a pinned root goes on when its node is back, also while somebody reads it elsewhere all the time", async () => {
  const data = cluster.temporary();
  const a = await start({ data, files: "pinned" });
  // As in another container: the same path and kernel, another directory.
  const b = await start({ files: "pinned", mounted: cluster.temporary() });
  await hang(a, "s");
  await a.client.prompt("s", "scenario:text and then", "second");
  a.kill("SIGKILL");
  await a.ended;
  const reading = setInterval(() => void b.client.request("GET", "/v1/sessions/s").catch(() => {}), 100);
  onTestFinished(() => clearInterval(reading));
  await eventually("its turn has ended", async () => (await typesAt(b, "s")).includes("turn.ended"));
  const back = await start({ data, files: "pinned" });
  // At once, although the other has it with log-only access.
  await back.client.prompt("s", "scenario:text and more", "third");
  await eventually("what waited has run", async () => {
    const ends = (await typesAt(b, "s")).filter((type) => type === "turn.ended");
    return ends.length === 3;
  });
  expect(dispatchedIn(await untilIdle(back, "s")).slice(1)).toEqual(["second", "third"]);
  expect(await b.agents()).toEqual([]);
});

it("two nodes on one machine with one --root: when the owner is killed the other runs the prompts that wait", async () => {
  const a = await start({ name: "box", files: "pinned" });
  const b = await start({ name: "box", files: "pinned" });
  await hang(a, "s");
  await a.client.prompt("s", "scenario:files", "second");
  await a.client.prompt("s", "scenario:text and more", "third");
  await endNode(a, "SIGKILL");
  await eventually("what waited has run", async () => {
    const { queued, status } = (await findListed(b, "s"))!;
    return queued === 0 && status === "idle";
  });
  const events = await untilIdle(b, "s");
  const [hung, ...later] = events.filter((each) => each.type === "turn.ended");
  expect(hung).toMatchObject({ outcome: "interrupted", error: { code: "node_lost" } });
  expect(later.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
  expect(dispatchedIn(events).slice(1)).toEqual(["second", "third"]);
  expect(existsSync(join(root, "mock-written.txt"))).toBe(true);
  expect(b.log()).toContain("sees the very same directories");
});

it("two nodes that see one directory know of each other's work there, though both call it pinned", async () => {
  const [a, b] = [await start({ files: "pinned" }), await start({ files: "pinned" })];
  await create(a, "t");
  await turn(a, "t", "scenario:files");
  await hang(b, "s");
  await eventually("the first one has noticed the second", () =>
    a.log().includes("sees the very same directories"),
  );
  expect(await refused(a, "t/restore", { checkpoint: await firstAt(a, "t") })).toMatchObject({
    code: "workspace_busy",
    session: { id: "s" },
  });
});

const MANY = 3000;

/** A turn in which very many files appeared, and a restore of them that has begun. */
async function beginLongRestore(node: TestNode): Promise<{ restoring: Promise<unknown> }> {
  writeFileSync(join(root, "before.txt"), "before\n");
  await hang(node, "s");
  mkdirSync(join(root, "many"));
  for (let at = 0; at < MANY; at += 1) writeFileSync(join(root, "many", `${at}`), `content ${at}\n`);
  await node.client.call("POST", "/v1/sessions/s/interrupt", {});
  await untilIdle(node, "s");
  const restoring = restore(node, "s").catch((error: unknown) => error);
  await eventually("files go", () => readdirSync(join(root, "many")).length < MANY - 50);
  return { restoring };
}

function expectRestored(events: readonly SessionEvent[]): void {
  expect(readdirSync(root)).toEqual(["before.txt"]);
  const [ended, ...more] = events.filter((each) => each.type === "checkpoint.restored");
  expect(more).toEqual([]);
  expect(ended).toMatchObject({ files: MANY });
  expect(ended!.error).toBeUndefined();
}

it("a restore whose node is killed in the middle is finished by another", async () => {
  const [a, b] = [await startSharing(), await startSharing()];
  const { restoring } = await beginLongRestore(a);
  a.kill("SIGKILL");
  await restoring;
  expect(readdirSync(join(root, "many")).length).toBeGreaterThan(0);
  // Nothing begins in the directory before that.
  await create(b, "t");
  await b.client.prompt("t", "scenario:files");
  const events = await untilIdle(b, "s");
  await untilIdle(b, "t");
  rmSync(join(root, "mock-written.txt"));
  rmSync(join(root, "mock-by-shell.txt"));
  expectRestored(events);
  const begun = (await eventsAt(b, "t")).find(({ type }) => type === "turn.started")!;
  const ended = events.find(({ type }) => type === "checkpoint.restored")!;
  expect(begun.at).toBeGreaterThanOrEqual(ended.at);
  assertRepositoriesWhole();
});

it("a node that is stopped in the middle of a restore changes nothing more once another has finished it", async () => {
  const [a, b] = [await startSharing(), await startSharing()];
  await beginLongRestore(a);
  a.kill("SIGSTOP");
  // One may just be aside.
  const left = readdirSync(join(root, "many")).filter((name) => !name.startsWith("."));
  expect(left.length).toBeGreaterThan(0);
  expectRestored(await untilIdle(b, "s"));
  // Somebody brings all of it back, as it was.
  mkdirSync(join(root, "many"));
  for (const name of left) writeFileSync(join(root, "many", name), `content ${name}\n`);
  a.kill("SIGCONT");
  await eventually("it has joined anew", async () => {
    if (!a.log().includes("this node was declared dead")) return false;
    return a.client.request("GET", "/v1/sessions/s").then(
      ({ ok }) => ok,
      () => false,
    );
  });
  // It works on, in the same directory.
  await create(a, "u");
  await turn(a, "u", "scenario:files");
  expect(readdirSync(join(root, "many")).toSorted()).toEqual(left.toSorted());
  assertRepositoriesWhole();
});

it("nodes that mean different directories by one name are refused", async () => {
  await startSharing();
  await expect(startSharing({ checkpointDirectory: cluster.temporary() })).rejects.toThrow(
    /is not the directory that the other nodes keep checkpoints in/,
  );
});
