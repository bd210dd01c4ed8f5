/** What `/api/chat` does beyond what the stock clients show: bodies, refusals, joining, queueing, steering, runs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StreamClient } from "../../src/server/http-client-test-support.ts";
import { startRealServer } from "../../src/server/real-server-test-support.ts";
import type { V1 } from "../../src/server/v1-test-support.ts";
import { startServer, storedMessages, textOf } from "./stock-chat.test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await startServer();
});

afterAll(() => v1.server.close());

const createSession = () => v1.createSession({ options: { pace: 0 } });

const user = (id: string, text: string) => ({ id, role: "user", parts: [{ type: "text", text }] });

function post(body: unknown): Promise<StreamClient> {
  return v1.server.open("/api/chat", { method: "POST", body });
}

async function read(body: unknown): Promise<StreamClient> {
  const stream = await post(body);
  await stream.ended;
  return stream;
}

function get(id: string, query = ""): Promise<StreamClient> {
  return v1.server.open(`/api/chat/${id}/stream${query}`);
}

/** Without the mark of the end. */
function chunks(stream: StreamClient): { type: string; messageId?: string; delta?: string }[] {
  return stream.frames.map(({ data }) => data).filter((data) => data !== "[DONE]");
}

function said(stream: StreamClient): string {
  return chunks(stream)
    .flatMap(({ delta }) => delta ?? [])
    .join("");
}

const saying = (text: string) => (stream: StreamClient) => said(stream).includes(text);

async function refused(body: unknown): Promise<[status: number, text: string, code: unknown]> {
  const answer = await v1.call("POST", "/api/chat", { body });
  expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  return [answer.status, answer.text, answer.headers["x-interlingua-error"]];
}

async function stop(id: string): Promise<void> {
  await v1.call("POST", `/api/chat/${id}/stop`);
}

describe("a request", () => {
  it("answers with the headers and the end mark of the AI SDK", async () => {
    const id = await createSession();
    const stream = await read({ sessionId: id, message: "scenario:text" });
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      "x-vercel-ai-ui-message-stream": "v1",
      "x-accel-buffering": "no",
    });
    expect(stream.text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(chunks(stream)[0]).toMatchObject({
      type: "start",
      messageMetadata: {
        session: id,
        agent: "mock",
        agentSessionId: expect.any(String),
        turn: expect.any(String),
      },
    });
  });

  it("is taken for JSON whatever it says it is", async () => {
    const id = await createSession();
    const body = JSON.stringify({ id, messages: [user("m1", "scenario:text")] });
    const answer = await v1.call("POST", "/api/chat", { body, headers: { "content-type": "text/plain" } });
    expect(answer.status).toBe(200);
  });

  it("is refused in one plain sentence", async () => {
    const id = await createSession();
    expect(await refused({ id: "no/slash", message: "hi" })).toMatchObject([
      400,
      expect.stringMatching(/id: use 1 to 128/),
      "invalid_request",
    ]);
    expect(await refused({ message: "hi" })).toMatchObject([
      400,
      expect.stringMatching(/give the id of the chat/),
      "invalid_request",
    ]);
    expect(await refused({ id })).toMatchObject([
      400,
      expect.stringMatching(/give messages or a message/),
      "invalid_request",
    ]);
    const system = { id: "x", role: "system", parts: [{ type: "text", text: "be nice" }] };
    expect(await refused({ id, messages: [system] })).toMatchObject([
      400,
      expect.stringMatching(/must be the user's/),
      "invalid_request",
    ]);
    expect(await refused({ id, messages: [user("m", "")] })).toMatchObject([
      400,
      expect.stringMatching(/says nothing/),
      "invalid_request",
    ]);
    const done = { id: "a", role: "assistant", parts: [{ type: "text", text: "done" }] };
    expect(await refused({ id, messages: [done] })).toMatchObject([
      400,
      expect.stringMatching(/nothing to send/),
      "invalid_request",
    ]);
    expect(await refused({ id: "fresh", message: "hi", agent: "nobody" })).toMatchObject([
      404,
      expect.stringMatching(/./),
      "agent_not_found",
    ]);
    expect(await refused({ id: "fresh", message: "hi", cwd: "/" })).toMatchObject([
      403,
      expect.stringMatching(/./),
      "outside_roots",
    ]);
    const stranger = await v1.call("POST", "/api/chat", {
      body: { id, message: "hi" },
      headers: { authorization: "Bearer wrong" },
    });
    expect([stranger.status, stranger.headers["content-type"]]).toEqual([401, "text/plain; charset=utf-8"]);
    expect((await v1.call("GET", "/v1/sessions/fresh")).status).toBe(404);
  });

  it("joins the stream of a message that was sent before", async () => {
    const id = await createSession();
    const body = { id, messages: [user("m1", "scenario:hang")] };
    const first = await post(body);
    await first.until("some text", saying("Let me think about "));
    first.close();
    const second = await post(body);
    await second.until("some text", saying("Let me think about "));
    await stop(id);
    await second.ended;
    const third = await read(body);
    expect(chunks(third)).toEqual(chunks(second));
    expect(await storedMessages(v1, id)).toHaveLength(2);
    expect(await refused({ id, messages: [user("m1", "other")] })).toMatchObject([
      409,
      expect.anything(),
      "message_exists",
    ]);
  });

  it("waits in the queue, can be edited there, and begins with its own turn", async () => {
    const id = await createSession();
    const first = await post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const second = await post({ id, messages: [user("m2", "scenario:hang")] });
    const third = await post({ id, messages: [user("m3", "scenario:hang")] });
    const edited = await post({ id, messages: [user("m2", "scenario:text")], messageId: "m2" });
    expect((await v1.call("GET", `/v1/sessions/${id}/queue`)).body.queue).toHaveLength(2);
    await v1.call("DELETE", `/v1/sessions/${id}/queue/m3`);
    await third.ended;
    expect(chunks(third)).toEqual([]);
    expect(chunks(second)).toEqual([]);
    await stop(id);
    await Promise.all([first.ended, second.ended, edited.ended]);
    expect(chunks(second)).toEqual(chunks(edited));
    const messages = await storedMessages(v1, id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(chunks(second)[0]!.messageId).toBe(messages[3]!.id);
    expect(said(second)).toBe(textOf(messages[3]!));
  });

  it("steers: the earlier response ends, and the steering one carries the rest", async () => {
    const id = await v1.createSession({ options: { pace: 1 } });
    const first = await post({ id, messages: [user("m1", "scenario:long")] });
    await first.until("some text", saying("word-3 "));
    const second = await post({ id, messages: [user("m2", "and quickly")], whenBusy: "steer" });
    await second.until("its beginning", (stream) => chunks(stream).length > 1);
    await first.ended;
    await stop(id);
    await second.ended;
    expect(chunks(first).at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
    const messages = await storedMessages(v1, id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect([first, second].map((stream) => chunks(stream)[0]!.messageId)).toEqual([
      messages[1]!.id,
      messages[3]!.id,
    ]);
    expect(said(first)).toBe(textOf(messages[1]!));
    expect(said(second)).toBe(textOf(messages[3]!));
  });

  it("stops a running turn whose prompt it edits, and takes back what waits", async () => {
    const id = await createSession();
    const first = await post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const waiting = await post({ id, messages: [user("m2", "scenario:text")] });
    const edited = await read({ id, messages: [user("m1", "scenario:text")], messageId: "m1" });
    await Promise.all([first.ended, waiting.ended]);
    expect(chunks(waiting)).toEqual([]);
    const messages = await storedMessages(v1, id);
    expect(messages.map((message) => message.id)).toEqual(["m1", chunks(edited)[0]!.messageId]);
    expect(textOf(messages[0]!)).toBe("scenario:text");
  });

  it("regenerates without being told which message", async () => {
    const id = await createSession();
    const first = await read({ id, messages: [user("m1", "scenario:text")] });
    const answer = {
      id: chunks(first)[0]!.messageId,
      role: "assistant",
      parts: [{ type: "text", text: "x" }],
    };
    const again = await read({ id, message: answer, trigger: "regenerate-message" });
    const messages = await storedMessages(v1, id);
    expect(messages.map((message) => message.id)).toEqual(["m1", chunks(again)[0]!.messageId]);
    expect(chunks(again)[0]!.messageId).not.toBe(answer.id);
  });
});

describe("GET stream", () => {
  it("has nothing while nothing is written", async () => {
    const id = await createSession();
    const status = async (chat: string) => (await v1.call("GET", `/api/chat/${chat}/stream`)).status;
    expect(await status("unknown")).toBe(204);
    expect(await status(id)).toBe(204);
    expect(await status("no%2Fslash")).toBe(400);
    await read({ id, message: "scenario:approve" });
    expect(await status(id)).toBe(204);
    await stop(id);
  });

  it("goes on at a chunk of a run, as transports do that reconnect by themselves", async () => {
    const id = await createSession();
    const first = await post({ id, messages: [user("m1", "scenario:approve")] });
    await first.ended;
    const run = String(first.response.headers["x-workflow-run-id"]);
    const tail = await get(run, "?startIndex=3");
    await tail.ended;
    expect(chunks(tail)).toEqual(chunks(first).slice(3));

    const [, message] = await storedMessages(v1, id);
    for (const part of message!.parts)
      if ("approval" in part)
        Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved: true } });
    const second = await read({ id, message, messageId: message!.id });
    const secondRun = String(second.response.headers["x-workflow-run-id"]);
    expect(secondRun).not.toBe(run);
    for (const index of [0, 5, 1000]) {
      const again = await get(secondRun, `?startIndex=${index}`);
      await again.ended;
      expect(chunks(again)).toEqual(chunks(second).slice(index));
    }
    const last = await get(secondRun, "?startIndex=-4");
    await last.ended;
    expect(chunks(last)).toEqual(chunks(second).slice(-4));
    expect(last.response.headers["x-workflow-stream-tail-index"]).toBe(String(chunks(second).length - 1));
    // The first run has its seam behind it now.
    const whole = await get(run);
    await whole.ended;
    expect(chunks(whole)).toEqual([...chunks(first).slice(0, -1), ...chunks(second).slice(1)]);
  });

  it("counts from the first chunk of the message that is being written", async () => {
    const id = await createSession();
    const first = await post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const [rest, last] = [await get(id, "?startIndex=2"), await get(id, "?startIndex=-1")];
    await stop(id);
    await Promise.all([first.ended, rest.ended, last.ended]);
    expect(chunks(rest)).toEqual(chunks(first).slice(2));
    const tail = Number(last.response.headers["x-workflow-stream-tail-index"]);
    expect(chunks(last)).toEqual(chunks(first).slice(tail));
  });

  it("says that it is still there, and why it is cut off", async () => {
    const server = await startRealServer({ limits: { keepAliveMs: 20 } });
    const body = { id: "c1", message: "scenario:hang" };
    const stream = await StreamClient.open(server.url, "/api/chat", { method: "POST", body });
    await stream.until("a comment", ({ comments }) => comments.includes("keep-alive"));
    await server.close();
    await stream.ended;
    expect(chunks(stream).at(-1)).toEqual({
      type: "error",
      errorText: "The stream was cut off: the daemon is shutting down.",
    });
  });
});
