/** An agent behind one call, against a real daemon in a process of its own. */

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentStreamEvent, createAgentService, Interlingua } from "../../src/sdk/index.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-service-"));
const root = join(directory, "project");
const QUICK = { options: { pace: 0 } };
let client: Interlingua;

beforeAll(async () => {
  mkdirSync(root);
  client = await Interlingua.start({ data: join(directory, "data"), root });
});

afterAll(async () => {
  await client?.dispose();
  rmSync(directory, { recursive: true, force: true });
});

const service = (type = "mock") => createAgentService<UIMessageChunk>(type, { client });

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** What the real reader of the AI SDK makes of the chunks. */
async function messageOf(events: readonly AgentStreamEvent<UIMessageChunk>[]): Promise<UIMessage> {
  const stream = ReadableStream.from(events.flatMap(({ chunk }) => chunk ?? []));
  return (await all(readUIMessageStream({ stream }))).at(-1)!;
}

function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

test("chunks that the AI SDK reads, then how it ended", async () => {
  const events = await all(service().invoke("scenario:text", root, undefined, QUICK));
  expect(events.length).toBeGreaterThan(1);
  expect(events.slice(0, -1).every(({ type, chunk }) => type === "chunk" && chunk !== undefined)).toBe(true);
  const message = await messageOf(events);
  expect(textOf(message)).toBe("Hello from the mock agent. This is a short, plain answer.");
  expect(events.at(-1)).toMatchObject({
    type: "complete",
    agentResult: {
      agentType: "mock",
      sessionId: expect.any(String),
      agentSessionId: expect.any(String),
      messageId: message.id,
      outcome: "completed",
      rawAgentMessage: { event: "turn_finished" },
    },
  });
});

test("the agent's own messages come beside what was made of them, unless nobody wants them", async () => {
  const events = await all(service().invoke("scenario:text", root, undefined, QUICK));
  const text = events.flatMap(({ chunk, rawAgentMessage }) =>
    chunk?.type === "text-delta" ? (rawAgentMessage as { text: string }).text : [],
  );
  expect(text.join("")).toBe(textOf(await messageOf(events)));
  const plain = await all(service().invoke("scenario:text", root, undefined, { ...QUICK, raw: false }));
  expect(
    plain.filter(({ type, rawAgentMessage }) => type === "chunk" && rawAgentMessage !== undefined),
  ).toEqual([]);
});

test("the events are emitted as `data`, to all who listen from the beginning, once", async () => {
  const stream = service().invokeStream("scenario:text", root, undefined, QUICK);
  const [one, two]: [AgentStreamEvent[], AgentStreamEvent[]] = [[], []];
  const left: AgentStreamEvent[] = [];
  const leaving = (event: AgentStreamEvent<UIMessageChunk>) => {
    left.push(event as AgentStreamEvent);
    stream.off("data", leaving);
  };
  await new Promise<void>((done) => {
    stream
      .on("data", leaving)
      .on("data", (event) => one.push(event as AgentStreamEvent))
      .on("data", (event) => {
        two.push(event as AgentStreamEvent);
        if (event.type === "complete") done();
      });
  });
  const looped = await all(stream);
  expect(one).toEqual(looped);
  expect(two).toEqual(looped);
  expect(left).toHaveLength(1);
});

test("a session id goes on with the session, and begins it where there is none", async () => {
  const id = "invoked";
  await all(service().invoke("scenario:echo one", root, id, { ...QUICK, id: "first", title: "By call" }));
  const events = await all(service().invoke("scenario:echo two", "/elsewhere", id));
  expect(textOf(await messageOf(events))).toContain("two");
  const session = await client.sessions.get(id);
  expect(await session.details()).toMatchObject({ title: "By call", cwd: root });
  const { messages } = await session.messages();
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  expect(messages[0]!.id).toBe("first");
});

test("a session of another agent is not gone on with", async () => {
  const session = await client.sessions.create({ id: "of-the-mock", agent: "mock", cwd: root });
  const events = await all(service("codex").invoke("scenario:text", root, session.id));
  const message = 'Session "of-the-mock" belongs to mock. Begin a new one for codex.';
  expect(events).toMatchObject([{ type: "error", error: { code: "session_exists", message } }]);
  expect((await session.messages()).messages).toEqual([]);
});

test("an ask keeps it pending until it is answered", async () => {
  const stream = service().invoke("scenario:approve", root, undefined, QUICK);
  const types: string[] = [];
  for await (const { type, chunk } of stream) {
    types.push(chunk?.type ?? type);
    if (chunk?.type !== "tool-approval-request") continue;
    await (await stream.session).reply(chunk.approvalId, { reply: "once" });
  }
  expect(types).toContain("tool-output-available");
  expect(types.at(-1)).toBe("complete");
});

test("a turn that is stopped is complete, and says so", async () => {
  const stream = service().invoke("scenario:hang", root);
  let last: AgentStreamEvent<UIMessageChunk> | undefined;
  for await (const event of stream) {
    last = event;
    if (event.chunk?.type === "text-delta") await stream.stop();
  }
  expect(last).toMatchObject({ type: "complete", agentResult: { outcome: "interrupted" } });
});

test("stopping a prompt that waits takes it back, and the turn of somebody else goes on", async () => {
  const session = await client.sessions.create({ agent: "mock", cwd: root });
  const other = session.prompt("scenario:hang");
  for await (const { type } of other) if (type === "text.delta") break;
  const mine = service().invoke("scenario:text", root, session.id, { id: "mine" });
  await mine.stop();
  expect(await session.details()).toMatchObject({ status: "running", queued: 0 });
  expect(await session.messageDetails("mine")).toMatchObject({ state: "withdrawn" });
  expect(await all(mine)).toMatchObject([
    { type: "error", error: { message: expect.stringContaining("withdrawn") } },
  ]);
  expect(await session.interrupt()).toEqual({ interrupted: true });
});

test("a turn that completed is complete, also when the request for how it ended is lost", async () => {
  const { baseUrl, token } = client;
  const lost = new Set<string>();
  const losing = await Interlingua.connect({
    baseUrl,
    token,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      const isAsked = init?.method === "GET" && /^\/v1\/sessions\/[^/]+(\/messages\/[^/]+)?$/.test(pathname);
      if (!isAsked || lost.has(pathname)) return fetch(input, init);
      lost.add(pathname);
      throw new TypeError("the response was lost");
    },
  });
  const losingService = createAgentService("mock", { client: losing });
  const events = await all(losingService.invoke("scenario:text", root, undefined, QUICK));
  expect(lost.size).toBe(2);
  expect(events.at(-1)).toMatchObject({ type: "complete", agentResult: { outcome: "completed" } });
});

test("whatever goes wrong is the last event, never a rejection", async () => {
  const failed = await all(service().invoke("scenario:crash", root, undefined, QUICK));
  expect(failed.at(-1)).toMatchObject({
    type: "error",
    error: { name: "InterlinguaError", code: "turn_failed" },
    agentResult: { outcome: "failed" },
  });
  const outside = await all(service().invoke("hello", "/"));
  expect(outside).toMatchObject([{ type: "error", error: { code: "outside_roots" } }]);
  const unknown = await all(service("nobody").invoke("hello", root));
  expect(unknown).toMatchObject([{ type: "error", error: { code: "agent_not_found" } }]);
  const leaving = new AbortController();
  leaving.abort();
  const left = await all(service().invoke("scenario:text", root, undefined, { signal: leaving.signal }));
  expect(left).toMatchObject([{ type: "error", error: { name: "AbortError" } }]);
});

test("claude-code is claude", async () => {
  const stream = service("claude-code").invoke("scenario:text", root, "by-cherry", { install: "never" });
  expect(await (await stream.session).details()).toMatchObject({ agent: "claude" });
  await (await stream.session).delete();
});

test("without a client a daemon is started, and ends with the program", async () => {
  const sdk = pathToFileURL(resolve(import.meta.dirname, "../../src/sdk/index.ts")).href;
  const program = `
    import { createAgentService } from ${JSON.stringify(sdk)};
    const service = createAgentService("mock");
    const ends = [];
    for (const text of ["scenario:text", "scenario:echo again"])
      for await (const event of service.invoke(text, process.cwd(), "mine"))
        if (event.type !== "chunk") ends.push(event.agentResult?.outcome ?? event.error.message);
    console.log(ends.join());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
    env: { ...withoutOurs(process.env), XDG_DATA_HOME: join(directory, "own-data") },
  });
  expect(stdout).toBe("completed,completed\n");
});

test("without a client it goes on after the daemon was started again elsewhere, and after it ended", async () => {
  const sdk = pathToFileURL(resolve(import.meta.dirname, "../../src/sdk/index.ts")).href;
  const program = `
    import { createAgentService, Interlingua } from ${JSON.stringify(sdk)};
    const service = createAgentService("mock");
    const invoke = async () => {
      const stream = service.invoke("scenario:text", process.cwd(), "mine", { options: { pace: 0 } });
      for await (const event of stream)
        if (event.type !== "chunk") console.log(event.agentResult?.outcome ?? event.error.message);
    };
    const token = process.env.INTERLINGUA_TOKEN;
    for (let run = 0; run < 2; run += 1) {
      const daemon = await Interlingua.start({ root: process.cwd(), spawn: { token } });
      await invoke();
      console.log(await daemon.sessions.get("mine").then(({ id }) => id));
      await daemon.dispose();
    }
    await invoke();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    cwd: root,
    env: {
      ...withoutOurs(process.env),
      HOME: directory,
      INTERLINGUA_DATA: join(directory, "named-data"),
      INTERLINGUA_TOKEN: "0123456789abcdef0123456789abcdef",
    },
  });
  expect(stdout.split("\n")).toEqual(["completed", "mine", "completed", "mine", "completed", ""]);
});

/** Whoever runs the tests may have settings for a daemon. */
function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("INTERLINGUA_")));
}
