/** The memory of an agent travels with the log: nodes with data directories and homes of their own, on one PostgreSQL. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { SessionEvent } from "../../src/core/event.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { createSession, runTurn, untilAgentWorks } from "./node-sessions.ts";
import { endNode, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

function start(data = cluster.temporary()): Promise<TestNode> {
  return cluster.startNode({ data, environment: { HOME: cluster.temporary() } });
}

function create(node: TestNode): Promise<void> {
  return createSession(node, "s");
}

function run(node: TestNode, text: string): Promise<SessionEvent[]> {
  return runTurn(node, "s", text);
}

function textOf(events: readonly SessionEvent[]): string {
  return events.flatMap((event) => (event.type === "text.delta" ? event.delta : [])).join("");
}

function noticesOf(events: readonly SessionEvent[]): string[] {
  return events.flatMap((event) => (event.type === "notice" ? (event.code ?? "") : []));
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
  await untilAgentWorks(a, "s");
  a.kill("SIGKILL");
  const events = await run(b, "scenario:recall");
  expect(textOf(events)).toContain("1. scenario:text the word is kestrel");
  expect(noticesOf(events)).toEqual(["memory"]);
  // It is said once.
  expect(noticesOf(await run(b, "scenario:text more"))).toEqual([]);
});

it("back on a node that had the conversation before, the agent knows what was said elsewhere", async () => {
  const data = cluster.temporary();
  const a = await start(data);
  await create(a);
  await run(a, "scenario:text one");
  await endNode(a, "SIGTERM");
  const b = await start();
  await run(b, "scenario:text two");
  await endNode(b, "SIGTERM");
  const events = await run(await start(data), "scenario:recall");
  expect(textOf(events)).toContain("1. scenario:text one\n2. scenario:text two");
  expect(noticesOf(events)).toEqual([]);
});

it("is removed with the session, and is sound for a check", async () => {
  const a = await start();
  await create(a);
  await run(a, "scenario:text one");
  const reading = await openPostgres({ url: cluster.store, isShared: true });
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
