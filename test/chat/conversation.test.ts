/** Conversations with stock clients: many turns, other answers, edits, failures and stops. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { V1 } from "../../src/server/v1-test-support.ts";
import {
  StockChat,
  type StockChatOptions,
  shapeOf,
  startServer,
  storedMessages,
  textOf,
  VERSIONS,
} from "./stock-chat.test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await startServer();
});

afterAll(() => v1.server.close());

describe.each(VERSIONS)("stock client %s", (version) => {
  async function open(options: Partial<StockChatOptions> = {}): Promise<StockChat> {
    const id = await v1.createSession({ options: { pace: 0 } });
    return new StockChat(v1, { version, id, ...options });
  }

  it.concurrent("talks for several turns, with the last message only", async () => {
    const client = await open({ lastMessageOnly: true });
    await client.chat.sendMessage({ text: "scenario:text" });
    await client.chat.sendMessage({ text: "scenario:rich" });
    await client.chat.sendMessage({ text: "scenario:retry" });
    await client.chat.sendMessage({ text: "scenario:recall" });
    await client.ready(4);
    expect(client.text).toContain("1. scenario:text\n2. scenario:rich\n3. scenario:retry");
    expect(client.chat.messages).toHaveLength(8);
    expect(client.posts.at(-1)!.body).not.toHaveProperty("messages");
    await client.expectStored();
  });

  it.concurrent("regenerates: the agent forgets what it said, and the history is what the client shows", async () => {
    const client = await open();
    await client.chat.sendMessage({ text: "scenario:text" });
    await client.chat.sendMessage({ text: "scenario:text hello" });
    await client.chat.sendMessage({ text: "scenario:recall" });
    const [, , , , prompt, answer] = client.chat.messages;
    await client.chat.regenerate();
    await client.ready(4);
    expect(client.chat.messages).toHaveLength(6);
    expect(client.chat.messages[4]!.id).toBe(prompt!.id);
    expect(client.last.id).not.toBe(answer!.id);
    expect(client.text).toBe("Earlier prompts:\n1. scenario:text\n2. scenario:text hello");
    await client.expectStored();

    // An earlier answer: everything after it goes too.
    const second = client.chat.messages[3]!;
    await client.chat.regenerate({ messageId: second.id });
    await client.ready(5);
    expect(client.chat.messages).toHaveLength(4);
    await client.expectStored();
  });

  it.concurrent("edits a message: the agent forgets it and what came after", async () => {
    const client = await open({ lastMessageOnly: true });
    await client.chat.sendMessage({ text: "scenario:text first" });
    await client.chat.sendMessage({ text: "scenario:text second" });
    const { id } = client.chat.messages[0]!;
    await client.chat.sendMessage({ text: "scenario:text other", messageId: id });
    await client.chat.sendMessage({ text: "scenario:recall" });
    await client.ready(4);
    expect(client.chat.messages).toHaveLength(4);
    expect(client.chat.messages[0]).toMatchObject({ id, parts: [{ text: "scenario:text other" }] });
    expect(client.text).toBe("Earlier prompts:\n1. scenario:text other");
    await client.expectStored();
  });

  it.concurrent("shows why a turn failed, and can go on", async () => {
    const client = await open();
    await client.chat.sendMessage({ text: "scenario:error" });
    await client.ready(1, "error");
    expect(client.chat.error?.message).toBe("The model is overloaded. Try again in a minute.");
    expect(client.text).toBe("Let me see.");
    await client.expectStored();
    await client.chat.sendMessage({ text: "scenario:refuse" });
    await client.chat.sendMessage({ text: "scenario:limit" });
    await client.ready(3);
    await client.expectStored();
  });

  it.concurrent("stops only when it is told to", async () => {
    const client = await open();
    const { id } = client.chat;
    const sending = client.chat.sendMessage({ text: "scenario:hang" });
    await client.until("the text", () => client.chat.messages.length === 2 && client.text !== "");
    await client.chat.stop();
    await sending;
    expect(client.chat.status).toBe("ready");
    expect((await v1.call("GET", `/v1/sessions/${id}`)).body.status).toBe("running");

    // Somebody else still watches, and sees it end.
    const viewer = new StockChat(v1, { version, id, messages: await storedMessages(v1, id) });
    const watching = viewer.chat.resumeStream();
    await viewer.until("the text", () => viewer.chat.messages.length === 2 && viewer.text !== "");
    expect((await v1.call("POST", `/api/chat/${id}/stop`)).body).toEqual({ interrupted: true });
    await watching;
    expect(viewer.chat.status).toBe("ready");
    await viewer.expectStored();
    expect((await v1.call("POST", `/api/chat/${id}/stop`)).body).toEqual({ interrupted: false });
    const [, stored] = await storedMessages(v1, id);
    expect(stored!.metadata).toMatchObject({ outcome: "interrupted" });
  });

  it.concurrent("runs two chats at once", async () => {
    const [one, two] = await Promise.all([open(), open()]);
    await Promise.all([
      one.chat.sendMessage({ text: "scenario:burst:300" }),
      two.chat.sendMessage({ text: "scenario:rich" }),
    ]);
    expect(one.text).toBe(Array.from({ length: 300 }, (_, index) => `${index + 1} `).join(""));
    await one.expectStored();
    await two.expectStored();
  });

  it.concurrent("sees a turn that the agent began by itself", async () => {
    const client = await open();
    const { id } = client.chat;
    const tail = await v1.server.open(`/v1/sessions/${id}/events/sse`);
    await client.chat.sendMessage({ text: "scenario:background" });
    await client.ready(1);
    const ends = () => tail.frames.filter(({ data }) => data.type === "turn.ended").length;
    await client.until("the agent's own turn", () => ends() === 2);
    tail.close();
    const page = new StockChat(v1, { version, id, messages: await storedMessages(v1, id) });
    await page.chat.resumeStream();
    expect(page.chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "system", "assistant"]);
    expect(page.text).toBe("The build has succeeded.");
    await page.chat.sendMessage({ text: "scenario:text" });
    await page.ready(1);
    await page.expectStored();
  });

  it.concurrent("makes a session for a new chat, and keeps to its agent", async () => {
    const id = `new-${version.replace(/[^\w.]/g, "-")}`;
    const body = { agent: "mock", cwd: v1.server.root, model: "mock-small", toolParts: "dynamic" };
    const client = new StockChat(v1, { version, id, body });
    await client.chat.sendMessage({ text: "scenario:rich" });
    await client.ready(1);
    expect((await v1.call("GET", `/v1/sessions/${id}`)).body).toMatchObject({
      agent: "mock",
      model: "mock-small",
    });
    expect(client.tools.map(({ type }) => type)).toContain("dynamic-tool");
    const stored = await v1.call("GET", `/api/chat/${id}/messages?toolParts=dynamic`);
    expect(shapeOf(client.chat.messages)).toEqual(shapeOf(stored.body.messages));
    await client.chat.sendMessage({ text: "again" }, { body: { agent: "other" } });
    await client.ready(2, "error");
    expect(client.chat.error?.message).toBe("This chat belongs to mock. Begin a new one for other.");
    expect(textOf(client.last)).toBe("again");
    await client.expectValidChunks();
  });
});
