import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { refusal, seen, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("the one being written is left out, one that waits for a person is in with its open part", async () => {
  const session = await v1.createSession();
  const hanging = await v1.prompt(session, "scenario:long", { id: "m1" });
  await hanging.until("some text", seen("text.delta"));
  const running = await v1.call("GET", `/v1/sessions/${session}/messages`);
  expect(running.body.messages.map((message: { role: string }) => message.role)).toEqual(["user"]);
  await hanging.ended;
  const waiting = await v1.prompt(session, "scenario:approve", { id: "m2" });
  await waiting.until("the ask", seen("ask.opened"));
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  expect(messages.map((message: { role: string }) => message.role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
  ]);
  expect(messages.at(-1).content).toContainEqual(
    expect.objectContaining({ type: "ask", kind: "permission", state: "open" }),
  );
  const page = (await v1.call("GET", `/v1/sessions/${session}/messages?limit=1&before=m2`)).body;
  expect(page).toEqual({ messages: [messages[1]], hasMore: true });
  const ask = waiting.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
  await v1.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "once" } });
  await waiting.ended;
});

test("a change of the model does not rewrite the metadata of earlier turns", async () => {
  const session = await v1.createSession({ model: "mock-small" });
  await v1.run(session, "scenario:text", { id: "m1" });
  await v1.call("PATCH", `/v1/sessions/${session}`, { body: { model: "mock-large" } });
  await v1.run(session, "scenario:text", { id: "m2" });
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  const models = messages.flatMap((message: { role: string; metadata: { agent: string; model: string } }) =>
    message.role === "assistant" ? [[message.metadata.agent, message.metadata.model]] : [],
  );
  expect(models).toEqual([
    ["mock", "mock-small"],
    ["mock", "mock-large"],
  ]);
});

test("of two open asks the one that was answered does not stay open until the other is", async () => {
  const session = await v1.createSession();
  const turn = await v1.prompt(session, "scenario:approve-two", { id: "m1" });
  const opened = () => turn.frames.flatMap(({ data }) => (data.type === "ask.opened" ? [data.ask] : []));
  await turn.until("both asks", () => opened().length === 2);
  const [first, second] = opened();
  await v1.call("POST", `/v1/sessions/${session}/asks/${first}/reply`, { body: { reply: "once" } });
  await turn.until("the end of the first", seen("ask.closed"));
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  const asks = messages.at(-1).content.filter(({ type }: { type: string }) => type === "ask");
  expect(asks).toMatchObject([
    { ask: first, state: "closed", delivered: true, answer: { effect: "once" } },
    { ask: second, state: "open" },
  ]);
  expect(asks[1]).not.toHaveProperty("answer");
  const one = (await v1.call("GET", `/v1/sessions/${session}/messages/${messages.at(-1).id}`)).body;
  expect(one.message).toEqual(messages.at(-1));
  await v1.call("POST", `/v1/sessions/${session}/asks/${second}/reply`, { body: { reply: "reject" } });
  await turn.ended;
});

test("one message with what it was made from", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:rich", { id: "m1" });
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  const { id } = messages[1];
  const { body } = await v1.call("GET", `/v1/sessions/${session}/messages/${id}?include=raw,result`);
  expect(body.message).toEqual(messages[1]);
  expect(body.state).toBe("done");
  const log = await v1.events(session);
  const named = log
    .filter((event: { message?: string }) => event.message === id)
    .flatMap((event: { raw?: number }) => event.raw ?? []);
  const given = body.raw.raws.map((raw: { rawSeq: number }) => raw.rawSeq);
  expect(given).toEqual(Array.from({ length: given.length }, (_, index) => given[0] + index));
  expect(given).toEqual(expect.arrayContaining(named));
  expect(body.result.event).toEqual(log.at(-1));
  expect(body.result.raw.rawSeq).toBe(log.at(-1)?.raw);
  expect((await v1.call("GET", `/v1/sessions/${session}/messages/${id}`)).body).not.toHaveProperty("raw");
});

test("rewinding takes messages out of the history", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:text", { id: "m1" });
  await v1.run(session, "scenario:text", { id: "m2" });
  const rewound = await v1.call("POST", `/v1/sessions/${session}/rewind`, { body: { before: "m2" } });
  expect(rewound.body).toMatchObject({ before: "m2", agentForgot: true });
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  expect(messages.map((message: { id: string }) => message.id)).not.toContain("m2");
  expect(messages).toHaveLength(2);
  const gone = await v1.call("GET", `/v1/sessions/${session}/messages/m2`);
  expect(gone.body.rewoundAt).toBeGreaterThan(0);
  const missing = await v1.call("POST", `/v1/sessions/${session}/rewind`, { body: { before: "none" } });
  expect(refusal(missing)).toEqual([404, "message_not_found"]);
});

test("a fork is a new session with the kept messages, and both name each other", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:text", { id: "m1" });
  await v1.run(session, "scenario:text", { id: "m2" });
  const path = `/v1/sessions/${session}/fork`;
  const forked = await v1.call("POST", path, { body: { before: "m2" } });
  expect(forked.status).toBe(201);
  expect(forked.body).toMatchObject({ forkedFrom: { session, message: "m2" } });
  const { id } = forked.body;
  expect(forked.headers.location).toBe(`/v1/sessions/${id}`);
  const { messages } = (await v1.call("GET", `/v1/sessions/${id}/messages`)).body;
  expect(messages.map((message: { role: string }) => message.role)).toEqual(["user", "assistant"]);
  expect((await v1.call("GET", `/v1/sessions/${session}`)).body.forks).toEqual([id]);
  expect((await v1.call("POST", path)).status).toBe(201);
  const missing = await v1.call("POST", path, { body: { before: "none" } });
  expect(refusal(missing)).toEqual([404, "message_not_found"]);
  const outside = await v1.call("POST", path, { body: { cwd: "/" } });
  expect(refusal(outside)).toEqual([403, "outside_roots"]);
});

test("a message is in our own language: who said it, what, and which events made it", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:rich", { id: "m1" });
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  const [prompt, answer] = messages;
  expect(prompt).toMatchObject({
    id: "m1",
    session,
    role: "user",
    type: "prompt",
    content: [{ type: "text", text: "scenario:rich" }],
    metadata: { agent: "mock" },
  });
  expect(answer).toMatchObject({
    parent: "m1",
    role: "assistant",
    type: "response",
    metadata: { agent: "mock", model: "mock-large", outcome: "completed" },
  });
  const log = await v1.events(session);
  const own = log.filter((event: { message?: string }) => event.message === answer.id);
  expect([answer.firstSeq, answer.lastSeq]).toEqual([own[0]!.seq, log.at(-1)!.seq]);
  const calls = own.filter(({ type }) => type === "tool.start").length;
  expect(answer.content.filter(({ type }: { type: string }) => type === "tool_call")).toHaveLength(calls);
  expect(answer.content.filter(({ type }: { type: string }) => type === "tool_result")).toHaveLength(calls);
  const texts = own.flatMap((event) => (event.type === "text.delta" ? event.delta : [])).join("");
  const said = answer.content.flatMap((part: { type: string; text?: string }) =>
    part.type === "text" ? part.text : [],
  );
  expect(said.join("")).toBe(texts);
});

test("a prompt names who sent it, whoever changed it while it waited, kept or folded again", async () => {
  const session = await v1.createSession();
  const hanging = await v1.prompt(session, "scenario:hang", { id: "first" });
  await hanging.until("the turn", seen("turn.started"));
  const send = (name: string, id: string, text: string) =>
    v1.call("POST", `/v1/sessions/${session}/messages`, {
      body: { id, text },
      headers: { "x-interlingua-client": name },
    });
  await send("phone", "small", "scenario:text");
  // Too large to be kept in memory while it waits.
  await send("desk", "large", `scenario:text ${"x".repeat(2_000_000)}`);
  await v1.call("PATCH", `/v1/sessions/${session}/queue/small`, { body: { text: "scenario:text again" } });
  await v1.call("POST", `/v1/sessions/${session}/interrupt`, { body: {} });
  await until(async () => (await v1.call("GET", `/v1/sessions/${session}`)).body.status === "idle");
  const { messages } = (await v1.call("GET", `/v1/sessions/${session}/messages`)).body;
  const senders = messages.flatMap((message: { id: string; role: string; metadata: { by?: string } }) =>
    message.role === "user" ? [[message.id, message.metadata.by]] : [],
  );
  expect(senders).toEqual([
    ["first", "owner"],
    ["small", "owner (phone)"],
    ["large", "owner (desk)"],
  ]);
  const chat = (await v1.call("GET", `/api/chat/${session}/messages`)).body.messages;
  expect(chat.find(({ id }: { id: string }) => id === "large").metadata.by).toBe("owner (desk)");
});
