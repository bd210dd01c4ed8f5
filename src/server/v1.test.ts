/** The API with everything behind it real. Each JSON answer is also checked against the schema of its route. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { checkLog } from "../core/check-log.ts";
import { routes } from "../protocol/route-table.ts";
import type { Answer, CallOptions, StreamClient } from "./http-client-test-support.ts";
import { type RealServer, startRealServer } from "./real-server-test-support.ts";

let server: RealServer;
let sessions = 0;

beforeAll(async () => {
  server = await startRealServer({ limits: { requestBurst: 100_000 } });
});

afterAll(() => server.close());

async function call(method: string, path: string, options?: CallOptions): Promise<Answer> {
  const answer = await server.call(method, path, options);
  const schema = schemaOf(method, path, answer.status);
  const result = schema?.safeParse(answer.body);
  if (result && !result.success) throw new Error(`${method} ${path} answers otherwise: ${result.error}`);
  return answer;
}

function schemaOf(method: string, path: string, status: number): z.ZodType | undefined {
  const segments = path.split("?")[0]?.split("/") ?? [];
  const route = Object.values(routes).find((candidate) => {
    const template = candidate.path.split("/");
    return (
      candidate.method === method.toLowerCase() &&
      template.length === segments.length &&
      template.every((part, index) => part.startsWith("{") || part === segments[index])
    );
  });
  const responses = (route?.responses ?? {}) as Record<
    number,
    { content?: Record<string, { schema: z.ZodType }> }
  >;
  return responses[status]?.content?.["application/json"]?.schema;
}

async function createSession(fields: object = {}): Promise<string> {
  sessions += 1;
  const id = `s${sessions}`;
  const answer = await call("POST", `/v1/sessions/${id}`, { body: { agent: "mock", ...fields } });
  expect(answer.status).toBe(201);
  return id;
}

/** Prompts and reads to the end of the turn. */
async function run(session: string, text: string, fields: object = {}): Promise<StreamClient> {
  const stream = await prompt(session, text, fields);
  await stream.ended;
  return stream;
}

function prompt(session: string, text: string, fields: object = {}): Promise<StreamClient> {
  const body = { text, ...fields };
  return server.open(`/v1/sessions/${session}/messages/stream`, { method: "POST", body });
}

async function events(session: string) {
  const { body } = await call("GET", `/v1/sessions/${session}/events?limit=1000`);
  return body.events;
}

function types(stream: StreamClient): string[] {
  return stream.frames.map(({ data }) => data.type);
}

const seen = (type: string) => (stream: StreamClient) => types(stream).includes(type);

describe("sessions", () => {
  test("are made, read, changed, listed, closed and deleted", async () => {
    const id = await createSession({ title: "A first try", metadata: { color: "green" } });
    expect((await call("GET", `/v1/sessions/${id}`)).body).toMatchObject({
      id,
      agent: "mock",
      cwd: server.root,
      title: "A first try",
      status: "idle",
      metadata: { color: "green" },
      attached: false,
    });
    const changed = await call("PATCH", `/v1/sessions/${id}`, { body: { title: "Zebra crossing" } });
    expect(changed.body.title).toBe("Zebra crossing");
    const found = await call("GET", "/v1/sessions?search=zebra&agent=mock&status=idle");
    expect(found.body.sessions.map((session: { id: string }) => session.id)).toEqual([id]);
    expect(found.body.sessions[0]).not.toHaveProperty("request");
    const closed = await call("PATCH", `/v1/sessions/${id}`, { body: { status: "closed" } });
    expect(closed.body.status).toBe("closed");
    const refused = await call("POST", `/v1/sessions/${id}/messages`, { body: { text: "hello" } });
    expect([refused.status, refused.body.code]).toEqual([409, "session_closed"]);
    const tail = await server.open(`/v1/sessions/${id}/events/sse`);
    expect((await call("DELETE", `/v1/sessions/${id}`)).status).toBe(204);
    await tail.ended;
    expect((await call("GET", `/v1/sessions/${id}`)).status).toBe(404);
  });

  test("are listed in pages", async () => {
    const ids = [await createSession(), await createSession(), await createSession()];
    const first = (await call("GET", "/v1/sessions?limit=2")).body;
    const second = (await call("GET", `/v1/sessions?limit=2&cursor=${encodeURIComponent(first.cursor)}`))
      .body;
    const listed = [...first.sessions, ...second.sessions].map((session: { id: string }) => session.id);
    expect(listed.slice(0, 3)).toEqual(ids.reverse());
  });
});

describe("a turn", () => {
  test("is streamed from its prompt to its end, the same bytes as in the log", async () => {
    const session = await createSession();
    const stream = await run(session, "scenario:text", { id: "m1" });
    expect(stream.response.complete).toBe(true);
    expect(types(stream).at(0)).toBe("prompt.accepted");
    expect(types(stream).at(-1)).toBe("turn.ended");
    const log = await events(session);
    expect(stream.frames.map(({ data }) => data)).toEqual(log.slice(1));
    expect(checkLog(log, { complete: true })).toEqual([]);
    const tail = await server.open(`/v1/sessions/${session}/events/sse?after=1`);
    await tail.until("the log", ({ frames }) => frames.length === log.length - 1);
    expect(tail.text).toBe(stream.text);
  });

  test("is not run again by a repeated request, which joins its stream", async () => {
    const session = await createSession();
    const body = { id: "m1", text: "scenario:approve" };
    const first = await prompt(session, body.text, { id: body.id });
    await first.until("the ask", seen("ask.opened"));
    const again = await call("POST", `/v1/sessions/${session}/messages`, { body });
    expect(again.status).toBe(202);
    expect(again.body).toMatchObject({ message: "m1", state: "started", seq: 2 });
    const second = await prompt(session, body.text, { id: body.id });
    const other = await call("POST", `/v1/sessions/${session}/messages`, { body: { ...body, text: "else" } });
    expect([other.status, other.body.code]).toEqual([409, "message_exists"]);
    const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
    await call("POST", `/v1/sessions/${session}/permissions/${ask}/reply`, { body: { reply: "once" } });
    await Promise.all([first.ended, second.ended]);
    expect(second.text).toBe(first.text);
    expect(types(first).at(-1)).toBe("turn.ended");
    expect(
      (await events(session)).filter((event: { type: string }) => event.type === "prompt.dispatched"),
    ).toHaveLength(1);
  });

  test("waits for the one before it without showing that one's events", async () => {
    const session = await createSession();
    const first = await prompt(session, "scenario:approve", { id: "m1" });
    await first.until("the ask", seen("ask.opened"));
    const second = await prompt(session, "scenario:text", { id: "m2" });
    await second.until("acceptance", seen("prompt.accepted"));
    const queue = await call("GET", `/v1/sessions/${session}/queue`);
    expect(queue.body.queue).toMatchObject([
      { message: "m2", parts: [{ type: "text", text: "scenario:text" }] },
    ]);
    const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
    await call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "once" } });
    await second.ended;
    const turns = new Set(second.frames.flatMap(({ data }) => data.turn ?? []));
    expect(turns.size).toBe(1);
    expect(types(second).slice(0, 3)).toEqual(["prompt.accepted", "turn.started", "prompt.dispatched"]);
    expect(types(second).filter((type) => type === "turn.ended")).toHaveLength(1);
  });

  test("that is withdrawn ends its stream; a changed one runs changed", async () => {
    const session = await createSession();
    const first = await prompt(session, "scenario:approve");
    await first.until("the ask", seen("ask.opened"));
    const withdrawn = await prompt(session, "scenario:text", { id: "gone" });
    const changed = await prompt(session, "scenario:hang", { id: "other" });
    await changed.until("acceptance", seen("prompt.accepted"));
    expect((await call("DELETE", `/v1/sessions/${session}/queue/gone`)).status).toBe(204);
    await withdrawn.ended;
    expect(types(withdrawn).at(-1)).toBe("prompt.withdrawn");
    const body = { text: "scenario:text" };
    expect((await call("PATCH", `/v1/sessions/${session}/queue/other`, { body })).status).toBe(200);
    const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
    await call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "reject" } });
    await changed.ended;
    expect(changed.frames.at(-1)?.data).toMatchObject({ type: "turn.ended", outcome: "completed" });
    const late = await call("DELETE", `/v1/sessions/${session}/queue/other`);
    expect([late.status, late.body.code]).toEqual([409, "message_not_queued"]);
  });

  test("that a prompt joined ends that prompt's stream too", async () => {
    const session = await createSession();
    const first = await prompt(session, "scenario:long");
    await first.until("some text", seen("text.delta"));
    const steering = await prompt(session, "scenario:text", { whenBusy: "steer", id: "s1" });
    await Promise.all([first.ended, steering.ended]);
    expect(types(steering).at(0)).toBe("prompt.accepted");
    expect(types(steering).at(-1)).toBe("turn.ended");
  });

  test("can be rejected while another runs, and stopped", async () => {
    const session = await createSession();
    const stream = await prompt(session, "scenario:hang");
    await stream.until("the turn", seen("turn.started"));
    const busy = await call("POST", `/v1/sessions/${session}/messages`, {
      body: { text: "x", whenBusy: "reject" },
    });
    expect([busy.status, busy.body.code]).toEqual([409, "session_busy"]);
    const stopped = await call("POST", `/v1/sessions/${session}/interrupt`, {
      headers: { "x-interlingua-client": "phone<script>" },
    });
    expect(stopped.body).toEqual({ interrupted: true });
    await stream.ended;
    expect(stream.frames.find(({ data }) => data.type === "turn.stopping")?.data.by).toBe(
      "owner (phonescript)",
    );
    expect(stream.frames.at(-1)?.data).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
    const idle = await call("POST", `/v1/sessions/${session}/interrupt`, { body: {} });
    expect(idle.body).toEqual({ interrupted: false });
  });

  test("runs on when its client leaves", async () => {
    const session = await createSession();
    const stream = await prompt(session, "scenario:long");
    await stream.until("some text", seen("text.delta"));
    stream.close();
    const tail = await server.open(`/v1/sessions/${session}/events/sse`);
    await tail.until("the end", seen("turn.ended"));
    expect(tail.frames.at(-1)?.data.outcome).toBe("completed");
  });
});

describe("asks", () => {
  async function ask(session: string, scenario: string): Promise<string> {
    const stream = await prompt(session, `scenario:${scenario}`);
    await stream.until("the ask", seen("ask.opened"));
    return stream.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
  }

  test("a permission: the first answer wins", async () => {
    const session = await createSession();
    const id = await ask(session, "approve");
    const open = await call("GET", `/v1/asks?session=${session}`);
    expect(open.body.asks).toMatchObject([
      { session, ask: id, state: "open", opened: { kind: "permission" } },
    ]);
    const path = `/v1/sessions/${session}/permissions/${id}/reply`;
    const wrong = await call("POST", `/v1/sessions/${session}/questions/${id}/reply`, {
      body: { answers: {} },
    });
    expect([wrong.status, wrong.body.code]).toEqual([404, "ask_not_found"]);
    const none = await call("POST", path, { body: { option: "nonsense" } });
    expect([none.status, none.body.code]).toEqual([422, "option_not_offered"]);
    const answered = await call("POST", path, { body: { reply: "once" } });
    expect(answered.body).toMatchObject({ ask: id, answered: { by: "owner" } });
    expect((await call("POST", path, { body: { reply: "once" } })).status).toBe(200);
    const other = await call("POST", path, { body: { reply: "reject" } });
    expect([other.status, other.body.code]).toEqual([409, "ask_answered"]);
    expect(other.body.answer).toBeDefined();
    expect((await call("GET", `/v1/asks?session=${session}`)).body.asks).toEqual([]);
  });

  test("a question is answered or declined", async () => {
    const session = await createSession();
    const first = await ask(session, "question");
    const path = `/v1/sessions/${session}/questions/${first}`;
    const permission = await call("POST", `/v1/sessions/${session}/permissions/${first}/reply`, {
      body: { reply: "once" },
    });
    expect([permission.status, permission.body.code]).toEqual([404, "ask_not_found"]);
    const answered = await call("POST", `${path}/reply`, { body: { answers: { q1: ["my own"] } } });
    expect(answered.body.answered.answers).toEqual({ q1: ["my own"] });
    const second = await createSession();
    const declined = await ask(second, "question");
    const rejected = await call("POST", `/v1/sessions/${second}/questions/${declined}/reject`);
    expect(rejected.status).toBe(200);
    const tail = await server.open(`/v1/sessions/${second}/events/sse`);
    await tail.until("the end", seen("turn.ended"));
  });

  test("one that was cancelled is 409", async () => {
    const session = await createSession();
    const id = await ask(session, "approve");
    await call("POST", `/v1/sessions/${session}/interrupt`);
    const tail = await server.open(`/v1/sessions/${session}/events/sse`);
    await tail.until("the end", seen("turn.ended"));
    const late = await call("POST", `/v1/sessions/${session}/asks/${id}/reply`, { body: { reply: "once" } });
    expect([late.status, late.body.code]).toEqual([409, "ask_closed"]);
  });
});

describe("messages", () => {
  test("the one being written is left out, one that waits for a person is in with its open part", async () => {
    const session = await createSession();
    const hanging = await prompt(session, "scenario:long", { id: "m1" });
    await hanging.until("some text", seen("text.delta"));
    const running = await call("GET", `/v1/sessions/${session}/messages`);
    expect(running.body.messages.map((message: { role: string }) => message.role)).toEqual(["user"]);
    await hanging.ended;
    const waiting = await prompt(session, "scenario:approve", { id: "m2" });
    await waiting.until("the ask", seen("ask.opened"));
    const { messages } = (await call("GET", `/v1/sessions/${session}/messages`)).body;
    expect(messages.map((message: { role: string }) => message.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(messages.at(-1).parts.map((part: { state?: string }) => part.state)).toContain(
      "approval-requested",
    );
    const page = (await call("GET", `/v1/sessions/${session}/messages?limit=1&before=m2`)).body;
    expect(page).toEqual({ messages: [messages[1]], hasMore: true });
    const ask = waiting.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
    await call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "once" } });
    await waiting.ended;
  });

  test("one message with what it was made from", async () => {
    const session = await createSession();
    await run(session, "scenario:rich", { id: "m1" });
    const { messages } = (await call("GET", `/v1/sessions/${session}/messages`)).body;
    const { id } = messages[1];
    const { body } = await call("GET", `/v1/sessions/${session}/messages/${id}?include=chunks,raw,result`);
    expect(body.message).toEqual(messages[1]);
    expect(body.state).toBe("done");
    expect(body.chunks[0]).toMatchObject({ type: "start", messageId: id });
    const log = await events(session);
    const named = log
      .filter((event: { message?: string }) => event.message === id)
      .flatMap((event: { raw?: number }) => event.raw ?? []);
    const given = body.raw.raws.map((raw: { rawSeq: number }) => raw.rawSeq);
    expect(given).toEqual(Array.from({ length: given.length }, (_, index) => given[0] + index));
    expect(given).toEqual(expect.arrayContaining(named));
    expect(body.result.event).toEqual(log.at(-1));
    expect(body.result.raw.rawSeq).toBe(log.at(-1).raw);
    expect((await call("GET", `/v1/sessions/${session}/messages/${id}`)).body).not.toHaveProperty("chunks");
  });

  test("rewinding takes messages out of the history", async () => {
    const session = await createSession();
    await run(session, "scenario:text", { id: "m1" });
    await run(session, "scenario:text", { id: "m2" });
    const rewound = await call("POST", `/v1/sessions/${session}/rewind`, { body: { before: "m2" } });
    expect(rewound.body).toMatchObject({ before: "m2", agentForgot: true });
    const { messages } = (await call("GET", `/v1/sessions/${session}/messages`)).body;
    expect(messages.map((message: { id: string }) => message.id)).not.toContain("m2");
    expect(messages).toHaveLength(2);
    const gone = await call("GET", `/v1/sessions/${session}/messages/m2`);
    expect(gone.body.rewoundAt).toBeGreaterThan(0);
    const missing = await call("POST", `/v1/sessions/${session}/rewind`, { body: { before: "none" } });
    expect([missing.status, missing.body.code]).toEqual([404, "message_not_found"]);
  });
});

describe("events and raw records", () => {
  test("come in pages that fit together", async () => {
    const session = await createSession();
    await run(session, "scenario:rich");
    const log = await events(session);
    const paged = [];
    for (let after = 0, hasMore = true; hasMore; after = paged.length) {
      const page = (await call("GET", `/v1/sessions/${session}/events?after=${after}&limit=7`)).body;
      expect(page.head).toBe(log.length);
      paged.push(...page.events);
      hasMore = page.hasMore;
    }
    expect(paged).toEqual(log);
    const offset = (await call("GET", `/v1/sessions/${session}/events?offset=3&limit=1`)).body;
    expect(offset.events).toEqual([log[3]]);
    const end = (await call("GET", `/v1/sessions/${session}/events?after=${log.length}`)).body;
    expect(end).toEqual({ events: [], head: log.length, hasMore: false });
  });

  test("an event can bring the raw record it was made from", async () => {
    const session = await createSession();
    await run(session, "scenario:text");
    const raws = (await call("GET", `/v1/sessions/${session}/raw?limit=1000`)).body.raws;
    const withRaw = (await call("GET", `/v1/sessions/${session}/events?include=raw`)).body.events;
    expect(withRaw).toHaveLength((await events(session)).length);
    for (const event of withRaw)
      expect(event.rawRecord).toEqual(event.raw === undefined ? undefined : raws[event.raw - 1]);
    expect(withRaw.some((event: object) => "rawRecord" in event)).toBe(true);
    const page = (await call("GET", `/v1/sessions/${session}/raw?after=2&limit=1`)).body;
    expect(page).toEqual({ raws: [raws[2]], head: raws.length, hasMore: true });
  });
});

describe("the daemon", () => {
  test("tells its agents, its usage, its health and its metrics", async () => {
    const session = await createSession();
    await run(session, "scenario:text");
    expect((await call("GET", "/v1/agents")).body).toMatchObject({
      agents: [{ name: "mock" }],
      default: "mock",
    });
    expect((await call("GET", "/v1/agents/mock")).body.status.installed).toBe(true);
    const usage = (await call("GET", `/v1/usage?session=${session}&by=agent`)).body;
    expect(usage.rows).toMatchObject([{ agent: "mock", turns: 1 }]);
    expect(usage.total.turns).toBe(1);
    expect((await call("GET", "/v1/health")).body).toEqual({ status: "ok", version: "0.0.0" });
    const metrics = await server.call("GET", "/metrics");
    expect(metrics.headers["content-type"]).toMatch(/^text\/plain; version=0.0.4/);
    expect(metrics.text).toMatch(/^interlingua_events_total \d+$/m);
    for (const line of metrics.text.trim().split("\n"))
      expect(line).toMatch(/^(#|interlingua_\w+(\{.*\})? [\d.e+-]+$)/);
  });

  test("is red while the log cannot be written", async () => {
    const { append } = server.store;
    const session = await createSession();
    server.store.append = async () => {
      throw new Error("no space left");
    };
    const stuck = call("PATCH", `/v1/sessions/${session}`, { body: { title: "later" } });
    await expect.poll(async () => (await call("GET", "/v1/health")).status).toBe(503);
    const refused = await call("POST", `/v1/sessions/${session}/messages`, { body: { text: "hello" } });
    expect([refused.status, refused.body.code]).toEqual([507, "store_unavailable"]);
    expect(refused.headers["retry-after"]).toBe("5");
    server.store.append = append;
    expect((await stuck).body.title).toBe("later");
    expect((await call("GET", "/v1/health")).status).toBe(200);
  });
});
