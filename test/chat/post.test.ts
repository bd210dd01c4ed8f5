/** What `POST /api/chat` does beyond what the stock clients show: bodies, refusals, joining, queueing, steering. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChatHttp, chunks, said, saying, user } from "./chat-http.test-support.ts";
import { storedMessages, textOf } from "./stock-chat.test-support.ts";

let http: ChatHttp;

beforeAll(async () => {
  http = await ChatHttp.start();
});

afterAll(() => http.close());

describe("POST /api/chat", () => {
  it("answers with the headers and the end mark of the AI SDK", async () => {
    const id = await http.createSession();
    const stream = await http.read({ sessionId: id, message: "scenario:text" });
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
    const id = await http.createSession();
    const body = JSON.stringify({ id, messages: [user("m1", "scenario:text")] });
    const answer = await http.v1.call("POST", "/api/chat", {
      body,
      headers: { "content-type": "text/plain" },
    });
    expect(answer.status).toBe(200);
  });

  it("is refused in one plain sentence", async () => {
    const id = await http.createSession();
    expect(await http.refused({ id: "no/slash", message: "hi" })).toMatchObject([
      400,
      expect.stringMatching(/id: use 1 to 128/),
      "invalid_request",
    ]);
    expect(await http.refused({ message: "hi" })).toMatchObject([
      400,
      expect.stringMatching(/give the id of the chat/),
      "invalid_request",
    ]);
    expect(await http.refused({ id })).toMatchObject([
      400,
      expect.stringMatching(/give messages or a message/),
      "invalid_request",
    ]);
    const system = { id: "x", role: "system", parts: [{ type: "text", text: "be nice" }] };
    expect(await http.refused({ id, messages: [system] })).toMatchObject([
      400,
      expect.stringMatching(/must be the user's/),
      "invalid_request",
    ]);
    expect(await http.refused({ id, messages: [user("m", "")] })).toMatchObject([
      400,
      expect.stringMatching(/says nothing/),
      "invalid_request",
    ]);
    const done = { id: "a", role: "assistant", parts: [{ type: "text", text: "done" }] };
    expect(await http.refused({ id, messages: [done] })).toMatchObject([
      400,
      expect.stringMatching(/nothing to send/),
      "invalid_request",
    ]);
    expect(await http.refused({ id: "fresh", message: "hi", agent: "nobody" })).toMatchObject([
      404,
      expect.stringMatching(/./),
      "agent_not_found",
    ]);
    expect(await http.refused({ id: "fresh", message: "hi", cwd: "/" })).toMatchObject([
      403,
      expect.stringMatching(/./),
      "outside_roots",
    ]);
    const stranger = await http.v1.call("POST", "/api/chat", {
      body: { id, message: "hi" },
      headers: { authorization: "Bearer wrong" },
    });
    expect([stranger.status, stranger.headers["content-type"]]).toEqual([401, "text/plain; charset=utf-8"]);
    expect((await http.v1.call("GET", "/v1/sessions/fresh")).status).toBe(404);
  });

  it("joins the stream of a message that was sent before", async () => {
    const id = await http.createSession();
    const body = { id, messages: [user("m1", "scenario:hang")] };
    const first = await http.post(body);
    await first.until("some text", saying("Let me think about "));
    first.close();
    const second = await http.post(body);
    await second.until("some text", saying("Let me think about "));
    await http.stop(id);
    await second.ended;
    const third = await http.read(body);
    expect(chunks(third)).toEqual(chunks(second));
    expect(await storedMessages(http.v1, id)).toHaveLength(2);
    expect(await http.refused({ id, messages: [user("m1", "other")] })).toMatchObject([
      409,
      expect.anything(),
      "message_exists",
    ]);
  });

  it("waits in the queue, can be edited there, and begins with its own turn", async () => {
    const id = await http.createSession();
    const first = await http.post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const second = await http.post({ id, messages: [user("m2", "scenario:hang")] });
    const third = await http.post({ id, messages: [user("m3", "scenario:hang")] });
    const edited = await http.post({ id, messages: [user("m2", "scenario:text")], messageId: "m2" });
    expect((await http.v1.call("GET", `/v1/sessions/${id}/queue`)).body.queue).toHaveLength(2);
    await http.v1.call("DELETE", `/v1/sessions/${id}/queue/m3`);
    await third.ended;
    expect(chunks(third)).toEqual([]);
    expect(chunks(second)).toEqual([]);
    await http.stop(id);
    await Promise.all([first.ended, second.ended, edited.ended]);
    expect(chunks(second)).toEqual(chunks(edited));
    const messages = await storedMessages(http.v1, id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(chunks(second)[0]!.messageId).toBe(messages[3]!.id);
    expect(said(second)).toBe(textOf(messages[3]!));
  });

  it("steers: the earlier response ends, and the steering one carries the rest", async () => {
    const id = await http.v1.createSession({ options: { pace: 1 } });
    const first = await http.post({ id, messages: [user("m1", "scenario:long")] });
    await first.until("some text", saying("word-3 "));
    const second = await http.post({ id, messages: [user("m2", "and quickly")], whenBusy: "steer" });
    await second.until("its beginning", (stream) => chunks(stream).length > 1);
    await first.ended;
    await http.stop(id);
    await second.ended;
    expect(chunks(first).at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
    const messages = await storedMessages(http.v1, id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect([first, second].map((stream) => chunks(stream)[0]!.messageId)).toEqual([
      messages[1]!.id,
      messages[3]!.id,
    ]);
    expect(said(first)).toBe(textOf(messages[1]!));
    expect(said(second)).toBe(textOf(messages[3]!));
  });

  it("stops a running turn whose prompt it edits, and takes back what waits", async () => {
    const id = await http.createSession();
    const first = await http.post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const waiting = await http.post({ id, messages: [user("m2", "scenario:text")] });
    const edited = await http.read({ id, messages: [user("m1", "scenario:text")], messageId: "m1" });
    await Promise.all([first.ended, waiting.ended]);
    expect(chunks(waiting)).toEqual([]);
    const messages = await storedMessages(http.v1, id);
    expect(messages.map((message) => message.id)).toEqual(["m1", chunks(edited)[0]!.messageId]);
    expect(textOf(messages[0]!)).toBe("scenario:text");
  });

  it("applies the answers that are not too late, and is refused only when all are", async () => {
    const id = await http.createSession();
    await http.read({ id, messages: [user("m1", "scenario:approve-two")] });
    const asks = async () => (await http.v1.call("GET", `/v1/asks?session=${id}`)).body.asks;
    while ((await asks()).length < 2) await new Promise(setImmediate);
    const [first, second] = await asks();
    await http.v1.call("POST", `/v1/sessions/${id}/asks/${first.ask}/reply`, {
      body: { reply: "reject" },
    });
    const [, message] = await storedMessages(http.v1, id);
    const clicked = message!.parts.map((part) =>
      "approval" in part
        ? { ...part, state: "approval-responded", approval: { ...part.approval, approved: true } }
        : part,
    );
    // Both are clicked, whether the history shows the one that was answered or not.
    const both = [first.ask, second.ask].map((ask) => ({
      type: "tool-permission",
      toolCallId: `permission_${ask}`,
      state: "approval-responded",
      approval: { id: ask, approved: true },
    }));
    const body = { id, message: { ...message, parts: [...clicked, ...both] }, messageId: message!.id };
    const stream = await http.read(body);
    expect(said(stream)).toBe("1 of 2 commands were allowed.");
    const late = both.map((part) => ({
      ...part,
      approval: { ...part.approval, approved: part.approval.id === first.ask },
    }));
    expect(await http.refused({ ...body, message: { ...message, parts: late } })).toEqual([
      409,
      "owner answered first; their answer stands.",
      "ask_answered",
    ]);
  });

  it("regenerates without being told which message", async () => {
    const id = await http.createSession();
    const first = await http.read({ id, messages: [user("m1", "scenario:text")] });
    const answer = {
      id: chunks(first)[0]!.messageId,
      role: "assistant",
      parts: [{ type: "text", text: "x" }],
    };
    const again = await http.read({ id, message: answer, trigger: "regenerate-message" });
    const messages = await storedMessages(http.v1, id);
    expect(messages.map((message) => message.id)).toEqual(["m1", chunks(again)[0]!.messageId]);
    expect(chunks(again)[0]!.messageId).not.toBe(answer.id);
  });
});
