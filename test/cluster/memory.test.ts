/** The memory of an agent travels with the log: nodes with data directories and homes of their own, on one PostgreSQL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { eventually } from "../../src/cli/test-support.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";
import { eventsAt, startNode, type TestNode } from "./start-node.ts";

let postgres: TestPostgres;
let store: string;
let root: string;
const nodes: TestNode[] = [];
const directories: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  store = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

beforeEach(async () => {
  await postgres.empty(store);
  root = temporary();
});

afterEach(async () => {
  for (const node of nodes) node.kill("SIGKILL");
  await Promise.all(nodes.map(({ ended }) => ended));
  for (const node of nodes.splice(0))
    await eventually("its agents are gone", async () => (await node.agents()).length === 0);
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-memory-"));
  directories.push(directory);
  return directory;
}

async function start(data = temporary()): Promise<TestNode> {
  const node = await startNode({ data, root, store, environment: { HOME: temporary() } });
  nodes.push(node);
  return node;
}

/** Prompts at a node as soon as it may have the session, and gives the events of the turn when it has ended. */
async function run(node: TestNode, text: string): Promise<SessionEvent[]> {
  const message = `m${Math.random().toString(36).slice(2)}`;
  await eventually("the prompt is taken", async () => {
    const body = { text, id: message };
    return (await node.client.request("POST", "/v1/sessions/s/messages", body)).status === 202;
  });
  let events: SessionEvent[] = [];
  await eventually("the turn has ended", async () => {
    events = await eventsAt(node, "s");
    const begun = events.findIndex(
      (event) => event.type === "prompt.dispatched" && event.message === message,
    );
    return begun >= 0 && events.slice(begun).some(({ type }) => type === "turn.ended");
  });
  expect(checkLog(events, { complete: true })).toEqual([]);
  const before = events.findIndex((event) => event.type === "prompt.accepted" && event.message === message);
  return events.slice(before);
}

function textOf(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "text.delta" ? event.delta : [])).join("");
}

function noticesOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? (event.code ?? "") : []));
}

async function create({ client }: TestNode): Promise<void> {
  await client.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
}

it("a conversation begun on a node that was killed goes on at another, which knows it", async () => {
  const [a, b] = await Promise.all([start(), start()]);
  await create(a);
  await run(a, "scenario:text the word is kestrel");
  await run(a, "scenario:text and heron");
  a.kill("SIGKILL");
  const events = await run(b, "scenario:recall");
  expect(textOf(events)).toContain("1. scenario:text the word is kestrel\n2. scenario:text and heron");
  expect(noticesOf(events)).toEqual([]);
  expect(events.find(({ type }) => type === "session.attached")).toMatchObject({ resumed: true });
});

it("after a turn that was cut off the agent goes on from what was kept, and that is said", async () => {
  const [a, b] = await Promise.all([start(), start()]);
  await create(a);
  await run(a, "scenario:text the word is kestrel");
  await a.client.prompt("s", "scenario:hang forever");
  await eventually("the agent works", async () =>
    (await eventsAt(a, "s")).some((event) => event.type === "text.delta" && event.seq > 15),
  );
  a.kill("SIGKILL");
  const events = await run(b, "scenario:recall");
  expect(textOf(events)).toContain("1. scenario:text the word is kestrel");
  expect(noticesOf(events)).toEqual(["memory"]);
  // It is said once.
  expect(noticesOf(await run(b, "scenario:text more"))).toEqual([]);
});

it("back on a node that had the conversation before, the agent knows what was said elsewhere", async () => {
  const data = temporary();
  const a = await start(data);
  await create(a);
  await run(a, "scenario:text one");
  a.kill("SIGTERM");
  await a.ended;
  const b = await start();
  await run(b, "scenario:text two");
  b.kill("SIGTERM");
  await b.ended;
  const events = await run(await start(data), "scenario:recall");
  expect(textOf(events)).toContain("1. scenario:text one\n2. scenario:text two");
  expect(noticesOf(events)).toEqual([]);
});

it("is removed with the session, and is sound for a check", async () => {
  const a = await start();
  await create(a);
  await run(a, "scenario:text one");
  const reading = await openPostgres({ url: store, isShared: true });
  try {
    const parts: string[] = [];
    for await (const { part } of reading.readMemory("s")) parts.push(part.replace(/mock-[\w-]+/, "ID"));
    expect(parts).toEqual(["agent", "agent/ID.json"]);
    expect((await reading.check()).problems).toEqual([]);
    expect((await a.client.request("DELETE", "/v1/sessions/s")).ok).toBe(true);
    for await (const { part } of reading.readMemory("s")) expect(part).toBeUndefined();
  } finally {
    await reading.close();
  }
});
