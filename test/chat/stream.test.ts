/** The streams of one message: when there is nothing, how to go on at a chunk, and what they do at an ask. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UIMessageChunk } from "../../src/dialects/ai-sdk/chunk.ts";
import { chunkProblem, unsafeFields, VERSIONS } from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import { StreamClient } from "../../src/server/http-client-test-support.ts";
import { startRealServer } from "../../src/server/real-server-test-support.ts";
import { ChatHttp, chunks, saying, user } from "./chat-http.test-support.ts";
import { storedMessages } from "./stock-chat.test-support.ts";

let http: ChatHttp;

beforeAll(async () => {
  http = await ChatHttp.start();
});

afterAll(() => http.close());

describe("GET /api/chat/{id}/messages/{message}/stream", () => {
  const open = (id: string, message: string, query = "") =>
    http.v1.server.open(`/api/chat/${id}/messages/${message}/stream${query}`);

  it("gives a message from its first chunk to its end, live and again, by its id and by that of its prompt", async () => {
    const id = await http.v1.createSession({ options: { pace: 1 } });
    const sent = await http.post({ id, messages: [user("m1", "scenario:rich")] });
    const live = await open(id, "m1");
    await Promise.all([sent.ended, live.ended]);
    expect(chunks(live)).toEqual(chunks(sent));
    expect(live.frames.at(-1)?.data).toBe("[DONE]");
    expect(live.response.headers["x-vercel-ai-ui-message-stream"]).toBe("v1");
    const { messageId } = chunks(sent)[0]!;
    for (const [message, from] of [
      ["m1", 0],
      [messageId!, 0],
      ["m1", 7],
      ["m1", 100_000],
    ] as const) {
      const again = await open(id, message, `?startIndex=${from}`);
      await again.ended;
      expect(chunks(again)).toEqual(chunks(sent).slice(from));
      expect(again.frames.at(-1)?.data).toBe("[DONE]");
    }
  });

  it("stays open while a person is asked, and goes on after the answer", async () => {
    const id = await http.createSession();
    await http.v1.call("POST", `/v1/sessions/${id}/messages`, {
      body: { id: "m1", text: "scenario:approve" },
    });
    const stream = await open(id, "m1");
    const asks = (one: StreamClient) => chunks(one).some(({ type }) => type === "tool-approval-request");
    await stream.until("the ask", asks);
    // Those who come while it is open get as much.
    const late = await open(id, "m1");
    await late.until("the ask", asks);
    const [ask] = (await http.v1.call("GET", `/v1/asks?session=${id}`)).body.asks;
    await http.v1.call("POST", `/v1/sessions/${id}/asks/${ask.ask}/reply`, { body: { reply: "once" } });
    await Promise.all([stream.ended, late.ended]);
    expect(chunks(late)).toEqual(chunks(stream));
    const types = chunks(stream).map(({ type }) => type);
    expect(types.filter((type) => type === "start" || type === "finish")).toEqual(["start", "finish"]);
    const again = await open(id, "m1");
    await again.ended;
    expect(chunks(again)).toEqual(chunks(stream));
  });

  it("waits with its prompt, and ends without chunks when that is withdrawn", async () => {
    const id = await http.createSession();
    await http.read({ id, messages: [user("m1", "scenario:approve")] });
    for (const [message, text] of [
      ["m2", "scenario:text"],
      ["m3", "scenario:text"],
    ])
      await http.v1.call("POST", `/v1/sessions/${id}/messages`, { body: { id: message, text } });
    const [next, withdrawn] = [await open(id, "m2"), await open(id, "m3")];
    await http.v1.call("DELETE", `/v1/sessions/${id}/queue/m3`);
    await withdrawn.ended;
    expect(withdrawn.frames.map(({ data }) => data)).toEqual(["[DONE]"]);
    expect(next.frames).toEqual([]);
    await http.stop(id);
    await next.ended;
    expect(chunks(next).at(-1)?.type).toBe("finish");
  });

  it("is refused for what there is not", async () => {
    const id = await http.createSession();
    const refused = async (path: string) => {
      const { status, headers } = await http.v1.call("GET", `/api/chat/${path}`);
      return [status, headers["x-interlingua-error"]];
    };
    expect(await refused(`${id}/messages/nothing/stream`)).toEqual([404, "message_not_found"]);
    expect(await refused("nobody/messages/m1/stream")).toEqual([404, "session_not_found"]);
    await http.read({ id, messages: [user("m1", "scenario:text")] });
    expect(await refused(`${id}/messages/m1/stream?startIndex=-1`)).toEqual([400, "invalid_request"]);
  });
});

describe("include=raw", () => {
  const raws = (stream: StreamClient) =>
    stream.frames.flatMap(({ data }) => (data.providerMetadata?.mock ? [data.providerMetadata.mock] : []));

  it("puts the agent's own message on the chunks that came from it, and changes nothing else", async () => {
    const id = await http.createSession();
    const body = { id, messages: [user("m1", "scenario:rich")] };
    const sent = await http.v1.server.open("/api/chat?include=raw", { method: "POST", body });
    await sent.ended;
    const again = await http.v1.server.open(`/api/chat/${id}/messages/m1/stream?include=raw`);
    const plain = await http.v1.server.open(`/api/chat/${id}/messages/m1/stream`);
    const run = String(sent.response.headers["x-workflow-run-id"]);
    const resumed = await http.get(run, "?include=raw&startIndex=5");
    await Promise.all([again.ended, plain.ended, resumed.ended]);
    expect(raws(plain)).toEqual([]);
    expect(chunks(again)).toEqual(chunks(sent));
    expect(chunks(resumed)).toEqual(chunks(sent).slice(5));

    const { agentSessionId } = (await http.v1.call("GET", `/v1/sessions/${id}`)).body;
    expect(new Set(raws(sent).map(({ sessionId }) => sessionId))).toEqual(new Set([agentSessionId]));
    const delta = sent.frames.find(({ data }) => data.type === "text-delta")!.data;
    expect(delta.providerMetadata.mock.message).toMatchObject({ text: delta.delta });
    const call = sent.frames.find(({ data }) => data.type === "tool-input-available")!.data;
    expect(call.providerMetadata.mock).toMatchObject({ message: {}, id: expect.any(String) });

    // Clients replace the metadata of a text by that of a later chunk.
    const part = sent.frames.find(({ data }) => data.type === "text-start")!.data.providerMetadata
      .interlingua;
    expect(delta.providerMetadata.interlingua).toEqual(part);
    const stripped = chunks(sent).map((chunk) => withoutRaw(chunk));
    expect(stripped).toEqual(chunks(plain).map((chunk) => withoutRaw(chunk)));
    for (const chunk of chunks(sent) as UIMessageChunk[]) {
      expect(unsafeFields(chunk)).toEqual([]);
      for (const version of VERSIONS) expect(await chunkProblem(version, chunk)).toBeUndefined();
    }
  });

  it("ends where a person is asked, as ever", async () => {
    const id = await http.createSession();
    const body = { id, messages: [user("m1", "scenario:approve")] };
    const sent = await http.v1.server.open("/api/chat?include=raw", { method: "POST", body });
    await sent.ended;
    expect(chunks(sent).at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
    expect(raws(sent).length).toBeGreaterThan(0);
    await http.stop(id);
  });

  it("refuses to include what there is not", async () => {
    const { status, text } = await http.v1.call("GET", "/api/chat/x/stream?include=cooked");
    expect([status, text]).toEqual([400, expect.stringContaining("include")]);
  });
});

/** As it is without the wish: only the start of a text and a call have metadata then. */
function withoutRaw({ providerMetadata, ...chunk }: { type: string; providerMetadata?: object }): object {
  const { mock: _, ...ours } = (providerMetadata ?? {}) as Record<string, unknown>;
  const hasOurs = Object.keys(ours).length > 0 && !/-(delta|end)$/.test(chunk.type);
  return hasOurs ? { ...chunk, providerMetadata: ours } : chunk;
}

describe("GET /api/chat/{id}/stream", () => {
  it("has nothing while nothing is written", async () => {
    const id = await http.createSession();
    const status = async (chat: string) => (await http.v1.call("GET", `/api/chat/${chat}/stream`)).status;
    expect(await status("unknown")).toBe(204);
    expect(await status(id)).toBe(204);
    expect(await status("no%2Fslash")).toBe(400);
    await http.read({ id, message: "scenario:approve" });
    expect(await status(id)).toBe(204);
    await http.stop(id);
  });

  it("goes on at a chunk of a run, as transports do that reconnect by themselves", async () => {
    const id = await http.createSession();
    const first = await http.post({ id, messages: [user("m1", "scenario:approve")] });
    await first.ended;
    const run = String(first.response.headers["x-workflow-run-id"]);
    const tail = await http.get(run, "?startIndex=3");
    await tail.ended;
    expect(chunks(tail)).toEqual(chunks(first).slice(3));

    const [, message] = await storedMessages(http.v1, id);
    for (const part of message!.parts)
      if ("approval" in part)
        Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved: true } });
    const second = await http.read({ id, message, messageId: message!.id });
    const secondRun = String(second.response.headers["x-workflow-run-id"]);
    expect(secondRun).not.toBe(run);
    for (const index of [0, 5, 1000]) {
      const again = await http.get(secondRun, `?startIndex=${index}`);
      await again.ended;
      expect(chunks(again)).toEqual(chunks(second).slice(index));
    }
    const last = await http.get(secondRun, "?startIndex=-4");
    await last.ended;
    expect(chunks(last)).toEqual(chunks(second).slice(-4));
    expect(last.response.headers["x-workflow-stream-tail-index"]).toBe(String(chunks(second).length - 1));
    // The first run has its seam behind it now.
    const whole = await http.get(run);
    await whole.ended;
    expect(chunks(whole)).toEqual([...chunks(first).slice(0, -1), ...chunks(second).slice(1)]);
  });

  it("counts from the first chunk of the message that is being written", async () => {
    const id = await http.createSession();
    const first = await http.post({ id, messages: [user("m1", "scenario:hang")] });
    await first.until("some text", saying("Let me think about "));
    const [rest, last] = [await http.get(id, "?startIndex=2"), await http.get(id, "?startIndex=-1")];
    await http.stop(id);
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
