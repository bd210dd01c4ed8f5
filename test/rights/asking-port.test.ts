/** The port without a token shows and leads only sessions whose agents are known to ask. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CreateSession } from "../../src/protocol/commands/command-types.ts";
import { openDialect } from "../../src/server/dialect-port/open-dialect-test-support.ts";
import { type Answer, call, StreamClient } from "../../src/server/http-client-test-support.ts";
import { type RealServer, startRealServer } from "../../src/server/real-server-test-support.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { AUTOPILOT, COPILOT, DROID, GEMINI, GROK, presetAgent } from "./preset-agent.ts";

const AGENTS = {
  copilot: presetAgent("copilot", COPILOT),
  droid: presetAgent("droid", DROID),
  gemini: presetAgent("gemini", GEMINI),
  grok: presetAgent("grok", GROK),
  pi: presetAgent("pi", {}, { permissions: false }),
  "my-agent": presetAgent("my-agent", { mode: "work", modes: [{ id: "work" }] }),
};

let server: RealServer;
let url: string;

beforeAll(async () => {
  const adapters = Object.entries(AGENTS).map(([name, { adapter }]) => [name, adapter] as const);
  server = await startRealServer({}, Object.fromEntries(adapters), (root) => [
    {
      ...{ dialect: openDialect, port: 0, workspace: root, keepRunning: true, maxAgentsAtWork: 100 },
      caller: "agentsmithy-port",
      explain: (error) => error,
    },
  ]);
  url = `http://127.0.0.1:${server.ports[0]}`;
});

afterAll(() => server.close());

function use(service: "engine" | "store", method: string, ...args: unknown[]): Promise<Answer> {
  const headers = { authorization: undefined };
  return call(url, "POST", `/api/${service}/${method}`, { headers, body: { args } });
}

function run(command: string, input: object): Promise<Answer> {
  return use("engine", "run", command, input, "CALLER");
}

async function session(agent: string, more: Partial<CreateSession> = {}): Promise<string> {
  const made = await server.engine.run("createSession", { agent, cwd: server.root, ...more }, TESTER);
  await server.engine.run("attachSession", { session: made.session.id }, TESTER);
  return made.session.id;
}

const prompt = (text: string) => ({ parts: [{ type: "text", text }], whenBusy: "queue" });

async function expectHidden(id: string): Promise<void> {
  for (const answer of [
    await run("getSession", { session: id }),
    await run("prompt", { session: id, ...prompt("hello") }),
    await run("updateSession", { session: id, title: "Mine" }),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, "session_not_found"]);
  const { body } = await use("store", "listSessions", { limit: 500 });
  expect(body.result.sessions.map((row: { id: string }) => row.id)).not.toContain(id);
  const stream = await StreamClient.open(url, `/api/${id}/events`);
  await stream.ended;
  expect(stream.frames).toEqual([]);
}

describe("a session is not there", () => {
  test.each([
    ["copilot", { settings: { allow_all: "on" } }],
    ["copilot", { mode: AUTOPILOT }],
    ["droid", { mode: "auto-high" }],
    ["gemini", { mode: "yolo" }],
    ["my-agent", {}],
    ["pi", {}],
    ["mock", { permissionMode: "bypass" }],
  ] as const)("%s with %j", async (agent, more) => expectHidden(await session(agent, more)));

  test("whose launch options turn asking off", async () => {
    const options = { approvalPolicy: "never" };
    const { session } = await server.engine.run(
      "createSession",
      { agent: "codex", cwd: server.root, options },
      TESTER,
    );
    expect(session.asks).toMatchObject({ asks: "no", path: "options.approvalPolicy" });
    await expectHidden(session.id);
  });

  test("one that asks is there", async () => {
    const id = await session("gemini");
    expect((await run("prompt", { session: id, ...prompt("hello") })).status).toBe(200);
    const { body } = await use("store", "listSessions", { limit: 500 });
    expect(body.result.sessions.map((row: { id: string }) => row.id)).toContain(id);
  });
});

test("a session whose agent switches to yolo by itself is hidden, and its streams end", async () => {
  const id = await session("gemini");
  expect((await run("getSession", { session: id })).status).toBe(200);
  const stream = await StreamClient.open(url, `/api/${id}/events`);
  AGENTS.gemini.of(id).say({ type: "session.updated", mode: "yolo" });
  await stream.ended;
  await expectHidden(id);
});

test.each(["/allow-all", "/share"])("a client without a token may not give the command %s", async (text) => {
  const id = await session("copilot");
  const answer = await run("prompt", { session: id, ...prompt(text) });
  expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  expect(AGENTS.copilot.of(id).commands).toEqual([]);
});

test("a client without a token may not make a session of an agent that never asks, or is not known to", async () => {
  const before = (await server.store.listSessions({ limit: 500 })).sessions.length;
  for (const agent of ["pi", "amp", "my-agent"]) {
    const answer = await run("createSession", { agent, cwd: server.root });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  }
  expect((await server.store.listSessions({ limit: 500 })).sessions).toHaveLength(before);
});

test("the streams of a session end after the owner gave a command of which the agent tells nothing", async () => {
  const id = await session("grok");
  expect((await run("getSession", { session: id })).status).toBe(200);
  const stream = await StreamClient.open(url, `/api/${id}/events`);
  const parts = [{ type: "text" as const, text: "/always-approve on" }];
  await server.engine.run("prompt", { session: id, parts, whenBusy: "queue" }, TESTER);
  await stream.ended;
  await until(async () => (await run("getSession", { session: id })).status === 404);
});
