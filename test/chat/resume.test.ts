/** Reloads, cut connections and second viewers with stock clients. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { V1 } from "../../src/server/v1-test-support.ts";
import {
  StockChat,
  type StockChatOptions,
  startServer,
  storedMessages,
  VERSIONS,
} from "./stock-chat.test-support.ts";

/** Up to 6.0.303 and 7.0.137 a replay is added to the half message of the same client. */
const DOUBLES = ["6.0.230 (strict)", "7.0.31 (strict)"];

let v1: V1;

beforeAll(async () => {
  v1 = await startServer();
});

afterAll(() => v1.server.close());

describe.each(VERSIONS)("stock client %s", (version) => {
  async function open(pace: number, options: Partial<StockChatOptions> = {}): Promise<StockChat> {
    const id = await v1.createSession({ options: { pace } });
    return new StockChat(v1, { version, id, ...options });
  }

  async function reload(client: StockChat): Promise<StockChat> {
    const { id } = client.chat;
    return new StockChat(v1, { version, id, messages: await storedMessages(v1, id) });
  }

  async function untilText(client: StockChat, text: string): Promise<void> {
    await client.until(text, () => client.last?.role === "assistant" && client.text.includes(text));
  }

  it.concurrent("is reloaded in the middle of a turn", async () => {
    const client = await open(0);
    const { id } = client.chat;
    const sending = client.chat.sendMessage({ text: "scenario:hang" });
    await untilText(client, "Let me think about ");
    const page = await reload(client);
    expect(page.chat.messages).toHaveLength(1);
    const resuming = page.chat.resumeStream();
    await untilText(page, "Let me think about ");
    await v1.call("POST", `/api/chat/${id}/stop`);
    await Promise.all([sending, resuming]);
    expect(page.text).toBe("Let me think about ");
    await page.expectStored();
    await client.expectStored();
  });

  it.concurrent("is reloaded after an answer, in the second part of a message", async () => {
    const client = await open(1);
    await client.chat.sendMessage({ text: "scenario:approve" });
    await client.ready(1);
    await client.reply(true);
    await untilText(client, "passed-3");
    const page = await reload(client);
    await page.resume();
    await client.ready(2);
    await page.ready(0);
    expect(page.chat.messages).toHaveLength(2);
    expect(page.text).toBe(client.text);
    await client.expectStored();
    // Nobody clicked on this page, so it does not know what was decided.
    const withoutDecisions = (messages: unknown) =>
      JSON.parse(JSON.stringify(messages, (key, value) => (key === "approval" ? undefined : value)));
    expect(withoutDecisions(page.last.parts)).toEqual(withoutDecisions((await page.stored()).at(-1)!.parts));
    await page.expectValidChunks();
  });

  it.concurrent("cannot answer after a reload while a prompt given to the turn waits for the answer", async () => {
    const client = await open(0);
    const { id } = client.chat;
    await client.chat.sendMessage({ text: "scenario:approve" });
    await client.ready(1);
    const steered = await v1.prompt(id, "a word from the side", { whenBusy: "steer" });
    const page = await reload(client);
    await page.reply(true);
    await page.ready(1);
    await steered.ended;
    expect((await page.stored()).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  });

  it.concurrent("resumes after its connection was cut, with nothing doubled and nothing missing", async () => {
    const { promise: cut, resolve: breakOff } = Promise.withResolvers<void>();
    const client = await open(0.6, { fetch: cutting(cut) });
    const sending = client.chat.sendMessage({ text: "scenario:long" });
    await untilText(client, "word-10 ");
    breakOff();
    await sending;
    expect(client.chat.status).toBe("error");
    if (DOUBLES.includes(version)) client.chat.messages = await client.stored();
    await client.resume();
    await client.ready(1);
    expect(client.text).toBe(Array.from({ length: 200 }, (_, index) => `word-${index + 1} `).join(""));
    await client.expectStored();
  });

  it.concurrent("shows the same to two viewers, chunk by chunk", async () => {
    const client = await open(0.6);
    const sending = client.chat.sendMessage({ text: "scenario:long" });
    await untilText(client, "word-5 ");
    const viewer = await reload(client);
    await viewer.resume();
    await sending;
    expect(viewer.chat.messages).toHaveLength(2);
    expect(viewer.text).toBe(client.text);
    if (viewer.resumes[0] === 200) expect(viewer.chunks).toEqual(client.chunks);
    await viewer.expectStored();
  });
});

/** Breaks the first response off as a network does. */
function cutting(cut: Promise<void>): typeof fetch {
  let isFirst = true;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!isFirst || !response.body) return response;
    isFirst = false;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        void cut.then(() => {
          controller.error(new TypeError("network error"));
          void reader.cancel();
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
