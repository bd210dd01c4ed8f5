/** `GET /api/chat/{id}/stream`: when there is nothing, and how to go on at a chunk. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StreamClient } from "../../src/server/http-client-test-support.ts";
import { startRealServer } from "../../src/server/real-server-test-support.ts";
import { ChatHttp, chunks, saying, user } from "./chat-http.test-support.ts";
import { storedMessages } from "./stock-chat.test-support.ts";

let http: ChatHttp;

beforeAll(async () => {
  http = await ChatHttp.start();
});

afterAll(() => http.close());

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
