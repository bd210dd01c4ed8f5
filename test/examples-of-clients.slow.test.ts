/** The examples that are clients of a running daemon: plain HTTP, Python, `useChat` behind a server, external storage. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AbstractChat, DefaultChatTransport, type UIMessage } from "ai";
import type { InterlinguaUIMessage } from "interlingua/ai-sdk";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLog } from "../src/core/check-log.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { Interlingua } from "../src/sdk/index.ts";
import { until } from "../src/testkit/until.ts";
import { type RunningExample, runExample } from "./run-example.ts";

let directory: string;
let daemon: Daemon;
let client: Interlingua;
const running: RunningExample[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "interlingua-examples-"));
  await startAt(0);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((example) => example.kill("SIGKILL")));
  await client.dispose();
  await daemon.close();
  await rm(directory, { recursive: true, force: true });
});

async function startAt(port: number): Promise<void> {
  daemon = await startDaemon({ port, data: join(directory, "data"), roots: [directory] });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
}

/** Stops the daemon and starts it again in its place. */
async function restart(): Promise<void> {
  const port = Number(new URL(daemon.url).port);
  await client.dispose();
  await daemon.close();
  await startAt(port);
}

function run(file: string, ...args: string[]): RunningExample {
  const environment = { INTERLINGUA_TOKEN: daemon.token, INTERLINGUA_URL: daemon.url };
  const example = runExample(file, args, { environment, cwd: directory });
  running.push(example);
  return example;
}

test("plain-fetch.ts runs a turn and allows what the agent asks", async () => {
  const example = run("plain-fetch.ts", daemon.url, "mock", "Note what you find");
  expect(await example.exited, example.errors()).toBe(0);
  expect(example.output()).toContain("[allowed: Write interlingua-demo.md]");
  expect(example.output()).toContain("## Done");
  expect(example.output()).toMatch(/\[turn completed\]\n$/);
});

test("plain-fetch.ts says what the daemon refuses", async () => {
  const example = run("plain-fetch.ts", daemon.url, "nobody", "Hello");
  expect(await example.exited).toBe(1);
  expect(example.errors()).toContain('agent_not_found: There is no agent "nobody".');
});

const PYTHON = spawnSync("python3", ["--version"], { encoding: "utf8" });
if (PYTHON.status !== 0)
  console.warn("\n!!! python_client.py IS NOT TESTED: there is no python3 on the PATH.\n");

test.skipIf(PYTHON.status !== 0)("python_client.py runs a turn, over a restart of the daemon", async () => {
  const example = run("python_client.py", daemon.url, "mock", "scenario:approve-two");
  await until(() => example.output().includes("[allowed: "));
  expect(await example.exited, example.errors()).toBe(0);
  expect(example.output()).toMatch(/\[turn completed\]\n$/);

  const cut = run("python_client.py", daemon.url, "mock", "scenario:hang");
  // A prompt that the agent does not have yet would run after the restart.
  await until(() => cut.output().includes("Let me think"));
  await restart();
  expect(await cut.exited, cut.errors()).toBe(1);
  expect(cut.output()).toMatch(/\[turn interrupted\]\n$/);
});

test.skipIf(PYTHON.status !== 0)(
  "python_client.py fails in one line, and with 1, where no turn ends",
  async () => {
    const nobody = run("python_client.py", "http://127.0.0.1:9", "mock", "Hello");
    expect(await nobody.exited).toBe(1);
    expect(nobody.errors()).toMatch(/^No answer from the daemon: [^\n]*\n$/);

    const closed = run("python_client.py", daemon.url, "mock", "scenario:hang");
    await until(() => closed.output().includes("Let me think"));
    const headers = { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" };
    const list = await fetch(`${daemon.url}/v1/sessions?status=running`, { headers });
    const { sessions } = (await list.json()) as { sessions: { id: string }[] };
    for (const { id } of sessions)
      await fetch(`${daemon.url}/v1/sessions/${id}`, { method: "DELETE", headers });
    expect(await closed.exited, closed.output()).toBe(1);
  },
);

/** The class under `useChat`, with the state that React would hold. */
class StockChat extends AbstractChat<UIMessage> {
  constructor(api: string, id: string) {
    super({
      id,
      transport: new DefaultChatTransport({ api }),
      state: {
        status: "ready",
        error: undefined,
        messages: [],
        pushMessage(message) {
          this.messages = [...this.messages, message];
        },
        popMessage() {
          this.messages = this.messages.slice(0, -1);
        },
        replaceMessage(index, message) {
          this.messages = this.messages.with(index, structuredClone(message));
        },
        snapshot: (value) => structuredClone(value),
      },
    });
  }

  get parts() {
    return this.messages.flatMap((message) => message.parts);
  }

  get openApproval(): string | undefined {
    return this.parts.flatMap((part) =>
      "state" in part && part.state === "approval-requested" ? [part.approval.id] : [],
    )[0];
  }
}

test("stock useChat talks and approves through express-server.ts, without a token", async () => {
  const server = run("express-server.ts", "0");
  await until(() => server.output().includes("\n"));
  const api = `${server.output().trim()}/api/chat`;

  const chat = new StockChat(api, "shop");
  await chat.sendMessage({ text: "scenario:approve" });
  expect(chat.error).toBeUndefined();
  const approval = chat.openApproval!;
  expect(approval).toBeDefined();

  const { messages } = (await (await fetch(`${api}/shop/messages`)).json()) as {
    messages: InterlinguaUIMessage[];
  };
  const { Chat } = await import("../examples/chat-browser.tsx");
  const html = renderToStaticMarkup(createElement(Chat, { id: "shop", history: messages }));
  expect(html).toContain("<p>scenario:approve</p>");
  expect(html).toContain("<legend>Run npm test</legend>");

  await chat.addToolApprovalResponse({ id: approval, approved: true });
  await chat.sendMessage();
  expect(chat.error).toBeUndefined();
  const { metadata } = (await (await client.sessions.get("shop")).messages()).messages.at(-1)!;
  expect(metadata).toMatchObject({ outcome: "completed" });

  const other = await fetch(api.replace("/api/chat", "/v1/sessions"));
  expect([other.status, await other.text()]).toEqual([404, "Not found\n"]);
  await daemon.close();
  const gone = await fetch(`${api}/shop/messages`);
  expect([gone.status, await gone.text()]).toEqual([502, "The daemon does not answer.\n"]);
});

test("store-events.ts has each event once, after kills of itself and a restart of the daemon", async () => {
  const file = join(directory, "events.db");
  const session = await client.sessions.create({ id: "before", agent: "mock", options: { pace: 0 } });
  await session.prompt("scenario:echo one").text();
  for (const id of ["first", "second"]) {
    const example = run("store-events.ts", daemon.url, file);
    const made = await client.sessions.create({ id, agent: "mock", options: { pace: 0 } });
    await made.prompt("scenario:rich").text().catch(String);
    await until(() => {
      expect(example.errors()).toBe("");
      return stored(file, id).length > 0;
    });
    // In the middle of whatever it does.
    await example.kill("SIGKILL");
    await session.prompt(`scenario:echo while nobody stores ${id}`).text();
  }
  const last = run("store-events.ts", daemon.url, file);
  for (const id of ["before", "first", "second"]) await untilAllStored(file, id);
  await restart();
  await (await client.sessions.get("before")).prompt("scenario:echo after the restart").text();
  for (const id of ["before", "first", "second"]) {
    await untilAllStored(file, id);
    const events = stored(file, id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(checkLog(events)).toEqual([]);
  }
  expect(last.errors()).toBe("");
});

async function untilAllStored(file: string, id: string): Promise<void> {
  const session = await client.sessions.get(id);
  await until(async () => stored(file, id).length === (await session.details()).head);
}

function stored(file: string, session: string): SessionEvent[] {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get();
    if (!hasTable) return [];
    const rows = database.prepare("SELECT event FROM events WHERE session = ? ORDER BY seq").all(session);
    return rows.map(({ event }) => JSON.parse(event as string));
  } finally {
    database.close();
  }
}
