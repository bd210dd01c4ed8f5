/** Clients of every dialect at nodes that do not have the session, which is prompted at a third one, while its node is killed. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { framesOf, SmithyClient } from "../agentsmithy/smithy-client.ts";
import { dataLines } from "../daemon-client.ts";
import { WATCHERS, type WatchedSession } from "../dialects/watchers/index.ts";
import { findListed, untilAsked } from "./node-sessions.ts";
import { eventsAt, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;
/** It has the sessions, and is killed in the end. */
let a: TestNode;
let b: TestNode;
let c: TestNode;

beforeAll(async () => {
  cluster = await TestCluster.start();
  // As long as usual: a node that is slow for a moment keeps its sessions, so that they are at the one that is killed.
  const start = (name: string) => cluster.startNode({ name, leaseMs: 10_000 });
  [a, b, c] = await Promise.all([start("a"), start("b"), start("c")]);
});

afterAll(() => cluster[Symbol.asyncDispose]());

/** A session that is at the first node. */
async function create(id: string): Promise<WatchedSession> {
  const cwd = cluster.root;
  const about = { id, agent: "mock", cwd, options: { pace: 0 } };
  const { createdAt } = await a.client.call<{ createdAt: number }>("POST", "/v1/sessions", about);
  // Its agent starts there, so that it stays.
  await a.client.prompt(id, "scenario:text begin");
  await idle(a, id);
  return { id, cwd, createdAt };
}

async function rowOf(node: TestNode, session: string) {
  return (await findListed(node, session))!;
}

async function idle(node: TestNode, session: string): Promise<void> {
  await eventually(`${session} is idle`, async () => (await rowOf(node, session)).status === "idle");
}

/** A prompt in the queue already makes a session running, and another node would send that prompt again. */
async function hasBegun(node: TestNode, session: string): Promise<boolean> {
  const { status, queued } = await rowOf(node, session);
  return status === "running" && queued === 0;
}

async function logAt(node: TestNode, session: string): Promise<SessionEvent[]> {
  const events = await eventsAt(node, session);
  expect(checkLog(events)).toEqual([]);
  return events;
}

/** So many turns have ended. */
async function turns(node: TestNode, session: string, count: number): Promise<void> {
  await eventually(`${count} turns have ended`, async () => {
    return (await logAt(node, session)).filter(({ type }) => type === "turn.ended").length === count;
  });
}

async function linesOf(response: Response): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dataLines(response)) lines.push(line);
  return lines;
}

async function answerAt(node: TestNode, session: string): Promise<void> {
  const ask = await untilAsked(node, session);
  await node.client.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { reply: "once" });
}

/** The lines of an answer to a message in a chat. */
async function chat(session: string, text: string): Promise<Response> {
  const parts = [{ type: "text", text: `scenario:${text}` }];
  return b.client.request("POST", "/api/chat", {
    id: session,
    message: { id: `m-${text}`, role: "user", parts },
  });
}

function smithyAtB(): SmithyClient {
  return new SmithyClient(`${b.client.url}/agentsmithy`, b.client.token);
}

it("a stream of one prompt goes across asks to the end of its turn", async () => {
  await create("prompt");
  const path = "/v1/sessions/prompt/messages/stream";
  const response = await b.client.request("POST", path, { text: "scenario:approve", id: "asks" });
  const reading = linesOf(response);
  await answerAt(c, "prompt");
  const events = (await reading).map((line) => JSON.parse(line) as SessionEvent);
  expect(events[0]).toMatchObject({ type: "prompt.accepted", message: "asks" });
  expect(events.some(({ type }) => type === "ask.answered")).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "completed" });
});

it("a chat and a dialog of AgentSmithy are answered at a node that does not have them", async () => {
  await create("chat");
  const lines = await linesOf(await chat("chat", "rich"));
  expect(lines.at(-1)).toBe("[DONE]");
  expect(lines.some((line) => line.includes('"type":"text-delta"'))).toBe(true);
  const { id, createdAt } = await create("dialog");
  const { events } = await smithyAtB().say("scenario:rich", { dialog_id: sessionUlid(id, createdAt) });
  expect(events.at(-1)).toMatchObject({ type: "done" });
});

it("when the node that has them is killed, every client goes on, and what each has understood is what the log says", async () => {
  const session = await create("watched");
  const watchers = WATCHERS.map((watch) => watch(b.client, session));
  for (const [n, scenario] of ["rich", "todo", "subagent", "burst:2000"].entries()) {
    await c.client.prompt("watched", `scenario:${scenario}`);
    await turns(c, "watched", n + 2);
  }
  await c.client.prompt("watched", "scenario:approve");
  await answerAt(b, "watched");
  await turns(c, "watched", 6);
  const before = await logAt(b, "watched");
  await c.client.prompt("watched", "scenario:hang");
  await eventually("it works", async () => (await rowOf(c, "watched")).head > before.length + 3);
  await c.client.prompt("watched", "scenario:rich", "waiting");

  await create("killed-chat");
  const answer = linesOf(await chat("killed-chat", "hang"));
  await eventually("it can be resumed", async () => {
    const leaving = new AbortController();
    const path = "/api/chat/killed-chat/stream";
    const { status } = await c.client.request("GET", path, undefined, leaving.signal);
    leaving.abort();
    return status === 200;
  });
  const resumed = linesOf(await c.client.request("GET", "/api/chat/killed-chat/stream"));

  const { id, createdAt } = await create("killed-dialog");
  const dialog = await smithyAtB().post({
    dialog_id: sessionUlid(id, createdAt),
    messages: [{ role: "user", content: "scenario:hang" }],
  });
  const said = dialog.text();
  await eventually("the turn began", () => hasBegun(b, id));
  const prompt = await b.client.request("POST", "/v1/sessions/prompt/messages/stream", {
    text: "scenario:hang",
  });
  const told = linesOf(prompt);
  await eventually("the turn began", () => hasBegun(b, "prompt"));

  for (const session of ["watched", "killed-chat", id, "prompt"])
    expect(await rowOf(b, session), a.log()).toMatchObject({ node: "a", status: "running" });
  a.kill("SIGKILL");
  const [lines, again] = await Promise.all([answer, resumed]);
  expect(lines.at(-1)).toBe("[DONE]");
  expect(again).toEqual(lines);
  const frames = framesOf(await said);
  expect(frames.at(-1)).toMatchObject({ type: "done" });
  expect(frames.some(({ type }) => type === "error")).toBe(true);
  const last = JSON.parse((await told).at(-1)!) as SessionEvent;
  expect(last).toMatchObject({ type: "turn.ended", outcome: "interrupted", error: { code: "node_lost" } });

  await turns(b, "watched", 8);
  await idle(c, "watched");
  const log = await logAt(c, "watched");
  expect(log.slice(0, before.length)).toEqual(before);
  for (const watcher of watchers) await watcher.finish(log);
});
