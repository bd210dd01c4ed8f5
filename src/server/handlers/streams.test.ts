import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import { refusal, seen, types, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("is streamed from its prompt to its end, the same bytes as in the log", async () => {
  const session = await v1.createSession();
  const stream = await v1.run(session, "scenario:text", { id: "m1" });
  expect(stream.response.complete).toBe(true);
  expect(types(stream).at(0)).toBe("prompt.accepted");
  expect(types(stream).at(-1)).toBe("turn.ended");
  const log = await v1.events(session);
  expect(stream.frames.map(({ data }) => data)).toEqual(log.slice(1));
  expect(checkLog(log, { complete: true })).toEqual([]);
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse?after=1`);
  await tail.until("the log", ({ frames }) => frames.length === log.length - 1);
  expect(tail.text).toBe(stream.text);
});

test("brings the raw record each event was made from, live and from the log, in its order and once", async () => {
  const session = await v1.createSession({ options: { pace: 0 } });
  const live = await v1.server.open(`/v1/sessions/${session}/events/sse?include=raw`);
  const path = `/v1/sessions/${session}/messages/stream?include=raw`;
  const turn = await v1.server.open(path, { method: "POST", body: { text: "scenario:burst:2000" } });
  await turn.ended;
  await live.until("the end", seen("turn.ended"));
  const log: SessionEvent[] = [];
  while (log.length === 0 || log.at(-1)?.type !== "turn.ended")
    log.push(
      ...(await v1.call("GET", `/v1/sessions/${session}/events?after=${log.length}&limit=1000`)).body.events,
    );
  const { agentSessionId } = (await v1.call("GET", `/v1/sessions/${session}`)).body;
  for (const stream of [live, turn]) {
    const events = stream.frames.map(({ data }) => data);
    const plain = events.map(({ rawRecord: _, ...event }) => event);
    expect(plain.map(({ seq }) => seq)).toEqual(log.slice(-events.length).map(({ seq }) => seq));
    for (const { raw, rawRecord } of events)
      expect([rawRecord?.rawSeq, rawRecord?.agentSessionId]).toEqual([raw, raw && agentSessionId]);
    const said = events.find(({ type }) => type === "text.delta");
    expect(JSON.parse(said.rawRecord.data)).toMatchObject({ text: said.delta });
  }
  const without = await v1.server.open(`/v1/sessions/${session}/events/sse`);
  await without.until("the end", seen("turn.ended"));
  expect(without.text).not.toContain("rawRecord");
});

test("masks secrets in raw records as they are stored", async () => {
  const secret = "correct-horse-battery-staple";
  const session = await v1.createSession({ options: { pace: 0 }, env: { SECRET_WORD: secret } });
  const path = `/v1/sessions/${session}/messages/stream?include=raw`;
  const turn = await v1.server.open(path, { method: "POST", body: { text: `scenario:echo ${secret}` } });
  await turn.ended;
  expect(turn.text).toContain("rawRecord");
  expect(turn.text).toContain("SECRET_WORD");
  expect(turn.text).not.toContain(secret);
});

test("offset is not dropped: a stream begins where it says, as a page does", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:text");
  const log = await v1.events(session);
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse?offset=${log.length - 2}`);
  await tail.until("the end of the log", ({ frames }) => frames.some(({ id }) => id === String(log.length)));
  expect(tail.frames.map(({ data }) => data)).toEqual(log.slice(-2));
});

test("is not run again by a repeated request, which joins its stream", async () => {
  const session = await v1.createSession();
  const body = { id: "m1", text: "scenario:approve" };
  const first = await v1.prompt(session, body.text, { id: body.id });
  await first.until("the ask", seen("ask.opened"));
  const again = await v1.call("POST", `/v1/sessions/${session}/messages`, { body });
  expect(again.status).toBe(202);
  expect(again.body).toMatchObject({ message: "m1", state: "started", seq: 2 });
  const second = await v1.prompt(session, body.text, { id: body.id });
  const other = await v1.call("POST", `/v1/sessions/${session}/messages`, {
    body: { ...body, text: "else" },
  });
  expect(refusal(other)).toEqual([409, "message_exists"]);
  const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
  await v1.call("POST", `/v1/sessions/${session}/permissions/${ask}/reply`, { body: { reply: "once" } });
  await Promise.all([first.ended, second.ended]);
  expect(second.text).toBe(first.text);
  expect(types(first).at(-1)).toBe("turn.ended");
  expect(
    (await v1.events(session)).filter((event: { type: string }) => event.type === "prompt.dispatched"),
  ).toHaveLength(1);
});

test("waits for the one before it without showing that one's events", async () => {
  const session = await v1.createSession();
  const first = await v1.prompt(session, "scenario:approve", { id: "m1" });
  await first.until("the ask", seen("ask.opened"));
  const second = await v1.prompt(session, "scenario:text", { id: "m2" });
  await second.until("acceptance", seen("prompt.accepted"));
  const queue = await v1.call("GET", `/v1/sessions/${session}/queue`);
  expect(queue.body.queue).toMatchObject([
    { message: "m2", parts: [{ type: "text", text: "scenario:text" }] },
  ]);
  const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
  await v1.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "once" } });
  await second.ended;
  const turns = new Set(second.frames.flatMap(({ data }) => data.turn ?? []));
  expect(turns.size).toBe(1);
  expect(types(second).slice(0, 3)).toEqual(["prompt.accepted", "turn.started", "prompt.dispatched"]);
  expect(types(second).filter((type) => type === "turn.ended")).toHaveLength(1);
});

test("that is withdrawn ends its stream; a changed one runs changed", async () => {
  const session = await v1.createSession();
  const first = await v1.prompt(session, "scenario:approve");
  await first.until("the ask", seen("ask.opened"));
  const withdrawn = await v1.prompt(session, "scenario:text", { id: "gone" });
  const changed = await v1.prompt(session, "scenario:hang", { id: "other" });
  await changed.until("acceptance", seen("prompt.accepted"));
  expect((await v1.call("DELETE", `/v1/sessions/${session}/queue/gone`)).status).toBe(204);
  await withdrawn.ended;
  expect(types(withdrawn).at(-1)).toBe("prompt.withdrawn");
  const body = { text: "scenario:text" };
  expect((await v1.call("PATCH", `/v1/sessions/${session}/queue/other`, { body })).status).toBe(200);
  const ask = first.frames.find(({ data }) => data.type === "ask.opened")?.data.ask;
  await v1.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { reply: "reject" } });
  await changed.ended;
  expect(changed.frames.at(-1)?.data).toMatchObject({ type: "turn.ended", outcome: "completed" });
  const late = await v1.call("DELETE", `/v1/sessions/${session}/queue/other`);
  expect(refusal(late)).toEqual([409, "message_not_queued"]);
});

test("that a prompt joined ends that prompt's stream too", async () => {
  const session = await v1.createSession();
  const first = await v1.prompt(session, "scenario:long");
  await first.until("some text", seen("text.delta"));
  const steering = await v1.prompt(session, "scenario:text", { whenBusy: "steer", id: "s1" });
  await Promise.all([first.ended, steering.ended]);
  expect(types(steering).at(0)).toBe("prompt.accepted");
  expect(types(steering).at(-1)).toBe("turn.ended");
});

test("can be rejected while another runs, and stopped", async () => {
  const session = await v1.createSession();
  const stream = await v1.prompt(session, "scenario:hang");
  await stream.until("the turn", seen("turn.started"));
  const busy = await v1.call("POST", `/v1/sessions/${session}/messages`, {
    body: { text: "x", whenBusy: "reject" },
  });
  expect(refusal(busy)).toEqual([409, "session_busy"]);
  const stopped = await v1.call("POST", `/v1/sessions/${session}/interrupt`, {
    headers: { "x-interlingua-client": "phone<script>" },
  });
  expect(stopped.body).toEqual({ interrupted: true });
  await stream.ended;
  expect(stream.frames.find(({ data }) => data.type === "turn.stopping")?.data.by).toBe(
    "owner (phonescript)",
  );
  expect(stream.frames.at(-1)?.data).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  const idle = await v1.call("POST", `/v1/sessions/${session}/interrupt`, { body: {} });
  expect(idle.body).toEqual({ interrupted: false });
});

test("runs on when its client leaves", async () => {
  const session = await v1.createSession();
  const stream = await v1.prompt(session, "scenario:long");
  await stream.until("some text", seen("text.delta"));
  stream.close();
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse`);
  await tail.until("the end", seen("turn.ended"));
  expect(tail.frames.at(-1)?.data.outcome).toBe("completed");
});

test("the stream of a session ends when the session is closed, and is refused kindly afterwards", async () => {
  const session = await v1.createSession();
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse`);
  await tail.until("the beginning", seen("session.created"));
  await v1.call("PATCH", `/v1/sessions/${session}`, { body: { status: "closed" } });
  await tail.until("the end", seen("session.closed"));
  await tail.ended;
  const { head } = (await v1.call("GET", `/v1/sessions/${session}`)).body;
  const again = await v1.call("GET", `/v1/sessions/${session}/events/sse?after=${head}`);
  expect(again.status).toBe(204);
});
