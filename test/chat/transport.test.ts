/** The SDK's transport under the stock chats of four versions of the AI SDK, with a connection that breaks. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chat as ReactChat } from "@ai-sdk/react";
import type { ChatTransport as AiChatTransport, UIMessage as AiMessage } from "ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isToolPart, type UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";
import { type ChatTransportOptions, Interlingua, type Session } from "../../src/sdk/index.ts";
import { until } from "../../src/testkit/until.ts";
import { type Chat, createChat, NEWEST, shapeOf, textOf, VERSIONS } from "./stock-chat.test-support.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-transport-"));
let client: Interlingua;

beforeAll(async () => {
  client = await Interlingua.start({ data: join(directory, "data"), root: directory });
});

afterAll(async () => {
  await client?.dispose();
  rmSync(directory, { recursive: true, force: true });
});

const last = (chat: Chat): UIMessage => chat.messages.at(-1)!;
const tools = (chat: Chat) => last(chat).parts.filter(isToolPart);
const isReady = (chat: Chat) => chat.status === "ready";

async function stored(id: string): Promise<UIMessage[]> {
  return (await client.chatTransport().messages<UIMessage>(id)).messages;
}

describe.each(VERSIONS)("with version %s", (version) => {
  async function open(options?: ChatTransportOptions) {
    const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
    const transport = client.chatTransport(options);
    return { session, transport, chat: createChat({ version, id: session.id, transport }) };
  }

  /** Follows until the test is over. */
  async function openFollowed() {
    const opened = await open();
    const leaving = new AbortController();
    const following = opened.transport.follow(opened.chat, { signal: leaving.signal });
    const dispose = async () => {
      leaving.abort();
      await following;
    };
    return { ...opened, [Symbol.asyncDispose]: dispose };
  }

  it("sends a prompt and shows the answer as it is stored", async () => {
    const { chat } = await open();
    await chat.sendMessage({ text: "scenario:rich" });
    expect(chat.status).toBe("ready");
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
  });

  it("sends the answers of the stock helpers: an approval, a question", async () => {
    const { chat } = await open();
    await chat.sendMessage({ text: "scenario:approve" });
    expect(tools(chat)).toMatchObject([{ state: "approval-requested" }]);
    await chat.addToolApprovalResponse({ id: tools(chat)[0]!.approval!.id, approved: true });
    await until(() => isReady(chat) && textOf(last(chat)).includes("passed-30"));
    await chat.sendMessage({ text: "scenario:question" });
    const { toolCallId } = tools(chat)[0]!;
    await chat.addToolOutput({ tool: "question", toolCallId, output: { q1: ["Green"] } });
    await until(() => isReady(chat) && textOf(last(chat)).includes("You chose: Green."));
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
  });

  it("has each chunk once when the connection is cut again and again", async () => {
    const { session } = await open();
    const cutting = new CuttingFetch(["POST /api/chat", "/stream?startIndex="], [700, 20_000, 1]);
    const { baseUrl, token } = client;
    const cut = await Interlingua.connect({ baseUrl, token, fetch: cutting.fetch });
    const chat = createChat({ version, id: session.id, transport: cut.chatTransport() });
    await chat.sendMessage({ text: "scenario:burst:1500" });
    expect([chat.status, chat.error]).toEqual(["ready", undefined]);
    expect(cutting.left).toEqual([]);
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
  });

  it("sends a prompt again whose response was lost, and the wish for another answer not", async () => {
    const { session } = await open();
    const losing = await openLosing();
    const chat = createChat({ version, id: session.id, transport: losing.client.chatTransport() });
    losing.next = lose;
    await chat.sendMessage({ text: "scenario:text" });
    expect(chat.status).toBe("ready");
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
    expect(chat.messages).toHaveLength(2);
    losing.next = lose;
    await chat.regenerate();
    expect([chat.status, chat.error?.message]).toEqual([
      "error",
      "The connection broke before the daemon answered.",
    ]);
  });

  it("sends an answer again whose response was lost", async () => {
    const { session } = await open();
    const losing = await openLosing();
    const chat = createChat({ version, id: session.id, transport: losing.client.chatTransport() });
    await chat.sendMessage({ text: "scenario:approve" });
    losing.next = lose;
    await chat.addToolApprovalResponse({ id: tools(chat)[0]!.approval!.id, approved: true });
    await until(() => chat.status === "error" || (isReady(chat) && textOf(last(chat)).includes("passed-30")));
    expect([losing.next, chat.error]).toEqual([undefined, undefined]);
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
  });

  it("gives the refusal of a wish for another answer as it is", async () => {
    const { session } = await open();
    const losing = await openLosing();
    const chat = createChat({ version, id: session.id, transport: losing.client.chatTransport() });
    await chat.sendMessage({ text: "scenario:text" });
    const headers = { "x-interlingua-error": "too_many_requests" };
    losing.next = async () => new Response("Too many requests. Wait.", { status: 429, headers });
    await chat.regenerate();
    expect(chat.error).toMatchObject({ code: "too_many_requests", message: "Too many requests. Wait." });
  });

  it("takes up a message that is being written, from its beginning", async () => {
    const { session, chat, transport } = await open();
    const prompt = session.prompt("scenario:hang");
    for await (const { type } of prompt) if (type === "text.delta") break;
    chat.messages = await stored(chat.id);
    const resuming = chat.resumeStream();
    await until(() => chat.messages.length === 2 && textOf(last(chat)) !== "");
    await session.interrupt();
    await resuming;
    expect(textOf(last(chat))).toBe(await prompt.text());
    expect(await transport.reconnectToStream({ chatId: chat.id })).toBeNull();
  });

  it("shows turns that began elsewhere, one after the other", async () => {
    await using opened = await openFollowed();
    const { session, chat } = opened;
    const first = session.prompt("scenario:echo one");
    await first.accepted;
    const second = session.prompt("scenario:echo two");
    await until(() => isReady(chat) && chat.messages.length === 4 && textOf(last(chat)).includes("two"));
    expect(textOf(chat.messages[1]!)).toBe(await first.text());
    expect(textOf(chat.messages[3]!)).toBe(await second.text());
    await expectStored(chat);
  });

  it("goes on after an answer that the stock helpers do not know", async () => {
    await using opened = await openFollowed();
    const { session, chat } = opened;
    await chat.sendMessage({ text: "scenario:approve" });
    const [ask] = await session.asks();
    await opened.transport.session(chat.id).reply(ask!.ask, { reply: "always" });
    await until(() => isReady(chat) && textOf(last(chat)).includes("passed-30"));
    await expectStored(chat);
  });

  it("stops the turn, by its own call or where `stop()` means that", async () => {
    const leaving = await open();
    const { chat, transport } = leaving;
    const sending = chat.sendMessage({ text: "scenario:hang" });
    await until(() => chat.status === "streaming" && textOf(last(chat)) !== "");
    await transport.stop(chat.id);
    await sending;
    expect(await outcomeOf(leaving.session)).toBe("interrupted");

    const stopping = await open({ onStop: "interrupt" });
    const sent = stopping.chat.sendMessage({ text: "scenario:hang" });
    await until(() => stopping.chat.status === "streaming" && textOf(last(stopping.chat)) !== "");
    await stopping.chat.stop();
    await sent;
    await until(async () => (await outcomeOf(stopping.session)) === "interrupted");
  });

  it("takes back a prompt that waits where `stop()` means that, and the turn of somebody else goes on", async () => {
    const { session, chat } = await open({ onStop: "interrupt" });
    const other = session.prompt("scenario:hang");
    for await (const { type } of other) if (type === "text.delta") break;
    const sending = chat.sendMessage({ text: "scenario:text" });
    await until(async () => (await session.details()).queued === 1);
    await chat.stop();
    await sending;
    await until(async () => (await session.details()).queued === 0);
    expect((await session.details()).status).toBe("running");
    expect(await session.messageDetails(chat.messages[0]!.id)).toMatchObject({ state: "withdrawn" });
    expect(await session.interrupt()).toEqual({ interrupted: true });
  });

  it("stops by its own call what the chat asked for, not what somebody else began", async () => {
    const { session, chat, transport } = await open();
    await chat.sendMessage({ text: "scenario:text" });
    const other = session.prompt("scenario:hang");
    for await (const { type } of other) if (type === "text.delta") break;
    // A stop is in the log before its call is answered.
    const stops = async () =>
      (await session.eventsPage({ limit: 1000 })).events.filter(({ type }) => type === "turn.stopping");
    await transport.stop(chat.id);
    expect(await stops()).toEqual([]);

    const sending = chat.sendMessage({ text: "scenario:text" });
    await until(async () => (await session.details()).queued === 1);
    await transport.stop(chat.id);
    await sending;
    expect(await stops()).toEqual([]);
    expect((await session.details()).queued).toBe(0);
    // One that has shown nothing yet stops what runs.
    await client.chatTransport().stop(chat.id);
    await until(async () => (await outcomeOf(session)) === "interrupted");
  });

  it("leaves the turn running where `stop()` means to leave", async () => {
    const { session, chat } = await open();
    const sending = chat.sendMessage({ text: "scenario:hang" });
    await until(() => chat.status === "streaming" && textOf(last(chat)) !== "");
    await chat.stop();
    await sending;
    expect(chat.status).toBe("ready");
    expect((await session.details()).status).toBe("running");
    expect(await session.interrupt()).toEqual({ interrupted: true });
  });

  it("makes a session of a new id with the fields of the request, and tells a refusal in one sentence", async () => {
    const transport = client.chatTransport({ body: { agent: "mock" } });
    const id = `new-${version.replaceAll(/[^\w.]/g, "-")}`;
    const chat = createChat({ version, id, transport });
    await chat.sendMessage({ text: "scenario:text" });
    expect(await (await client.sessions.get(id)).details()).toMatchObject({ agent: "mock" });
    await chat.sendMessage({ text: "scenario:text" }, { body: { agent: "codex" } });
    expect([chat.status, chat.error?.message]).toEqual([
      "error",
      "This chat belongs to mock. Begin a new one for codex.",
    ]);
  });

  it("makes another answer", async () => {
    const { chat } = await open();
    await chat.sendMessage({ text: "scenario:text" });
    const { id } = last(chat);
    await chat.regenerate();
    expect(chat.messages).toHaveLength(2);
    expect(last(chat).id).not.toBe(id);
    expect(shapeOf(chat.messages)).toEqual(shapeOf(await stored(chat.id)));
  });
});

it(`fits the types of the AI SDK, and the chat of React (${NEWEST})`, async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  const transport: AiChatTransport<AiMessage> = client.chatTransport();
  const chat = new ReactChat<AiMessage>({ id: session.id, transport });
  const leaving = new AbortController();
  const following = client.chatTransport().follow(chat, { signal: leaving.signal });
  await chat.sendMessage({ text: "scenario:text" });
  expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  leaving.abort();
  await following;
});

it("does not wait with a stop while nobody answers: what was being sent is not sent again", async () => {
  const session = await client.sessions.create({ agent: "mock", options: { pace: 0 } });
  let isReachable = true;
  let tries = 0;
  const { baseUrl, token } = client;
  const flaky = await Interlingua.connect({
    baseUrl,
    token,
    fetch: (...request) => {
      if (isReachable) return fetch(...request);
      tries += 1;
      return Promise.reject(new TypeError("nobody is there"));
    },
  });
  const transport = flaky.chatTransport();
  const chat = createChat({ version: NEWEST, id: session.id, transport });
  isReachable = false;
  const sending = chat.sendMessage({ text: "scenario:hang" });
  await until(() => tries > 1);
  await expect(transport.stop(chat.id)).rejects.toMatchObject({ code: "unreachable" });
  await sending;
  expect([chat.status, chat.error?.message]).toEqual(["error", expect.stringContaining("nobody is there")]);
  isReachable = true;
  await chat.sendMessage({ text: "scenario:text" });
  expect(chat.status).toBe("ready");
  expect((await session.messages()).messages).toHaveLength(2);
  await transport.stop(chat.id);
});

it("says that there is no session to follow", async () => {
  const transport = client.chatTransport();
  const chat = createChat({ version: NEWEST, id: "nowhere", transport });
  await expect(transport.follow(chat)).rejects.toMatchObject({ code: "session_not_found" });
});

interface Losing {
  client: Interlingua;
  /** What the next POST gets instead of its response. */
  next: ((response: () => Promise<Response>) => Promise<Response>) | undefined;
}

async function openLosing(): Promise<Losing> {
  const { baseUrl, token } = client;
  const losing: Partial<Losing> = {};
  losing.client = await Interlingua.connect({
    baseUrl,
    token,
    fetch: (input, init) => {
      const { next } = losing;
      if (!next || init?.method !== "POST") return fetch(input, init);
      losing.next = undefined;
      return next(() => fetch(input, init));
    },
  });
  return losing as Losing;
}

/** The request has its effect, and nobody hears of it. */
async function lose(response: () => Promise<Response>): Promise<Response> {
  await (await response()).body?.cancel();
  throw new TypeError("the response was lost");
}

async function outcomeOf(session: Session): Promise<string | undefined> {
  const { messages } = await session.messages();
  return messages.at(-1)?.metadata.outcome;
}

/** What is loaded after the last turn may still be under way. */
async function expectStored(chat: Chat): Promise<void> {
  await until(async () => {
    const shapes = [chat.messages, await stored(chat.id)].map((messages) =>
      JSON.stringify(shapeOf(messages)),
    );
    return isReady(chat) && shapes[0] === shapes[1];
  });
}

/** A connection that breaks after so many bytes, each time it is used for one of these requests. */
class CuttingFetch {
  readonly #requests: readonly string[];
  readonly left: number[];

  constructor(requests: readonly string[], bytes: readonly number[]) {
    this.#requests = requests;
    this.left = [...bytes];
  }

  fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    const name = `${init?.method} ${new URL(String(input)).pathname}${new URL(String(input)).search}`;
    const isCut = this.#requests.some((request) => name.includes(request));
    const bytes = isCut && response.body ? this.left.shift() : undefined;
    if (bytes === undefined) return response;
    return new Response(response.body!.pipeThrough(cuttingAfter(bytes)), {
      status: response.status,
      headers: response.headers,
    });
  };
}

function cuttingAfter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let rest = bytes;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, rest));
      rest -= piece.length;
      if (rest < 0) controller.error(new Error("the connection was cut"));
    },
  });
}
