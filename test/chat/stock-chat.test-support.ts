/** The class under `useChat` with its own transport, in four versions of the real AI SDK, against a real server. */

import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v7 from "ai";
import { expect, vi } from "vitest";
import type { UIMessageChunk } from "../../src/dialects/ai-sdk/chunk.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";
import { AUTHORIZED } from "../../src/server/http-client-test-support.ts";
import { V1 } from "../../src/server/v1-test-support.ts";
import { importLocked } from "../locked-packages.ts";

/** A server with the mock agent; with a compile cache its program starts in a quarter of the time. */
export async function startServer(): Promise<V1> {
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), "interlingua-test-compile-cache");
  return V1.start();
}

interface Validation {
  success: boolean;
  error?: unknown;
}

/** What the tests use of a version; the versions' own types differ where it does not matter here. */
interface Sdk {
  AbstractChat: new (init: object) => Chat;
  DefaultChatTransport: new (options: object) => object;
  uiMessageChunkSchema(): { validate?(value: unknown): Validation | PromiseLike<Validation> };
  lastAssistantMessageIsCompleteWithApprovalResponses(chat: { messages: UIMessage[] }): boolean;
  lastAssistantMessageIsCompleteWithToolCalls(chat: { messages: UIMessage[] }): boolean;
}

const SDKS: Readonly<Record<string, Sdk>> = {
  "6.0.326": await importLocked("clients", "ai-v6"),
  "6.0.230 (strict)": await importLocked("clients", "ai-v6-strict"),
  "7.0.169": v7 as unknown as Sdk,
  "7.0.31 (strict)": await importLocked("clients", "ai-v7-strict"),
};

export const VERSIONS: readonly string[] = Object.keys(SDKS);
export const NEWEST = "7.0.169";

export interface Chat {
  readonly id: string;
  messages: UIMessage[];
  readonly status: "submitted" | "streaming" | "ready" | "error";
  readonly error?: Error;
  sendMessage(
    message?: { text: string; messageId?: string; files?: object[] },
    options?: { body?: object },
  ): Promise<void>;
  regenerate(options?: { messageId?: string }): Promise<void>;
  resumeStream(): Promise<void>;
  stop(): Promise<void>;
  addToolApprovalResponse(response: { id: string; approved: boolean; reason?: string }): PromiseLike<void>;
  addToolOutput(result: object): PromiseLike<void>;
}

export interface StockChatOptions {
  version: string;
  id: string;
  messages?: UIMessage[];
  /** Fields of every request body. */
  body?: object;
  lastMessageOnly?: boolean;
  fetch?: typeof fetch;
  /** How long to wait for anything: ten seconds when absent. */
  deadlineMs?: number;
}

/** What a stock client needs of a server. */
export interface ChatServer {
  readonly server: { readonly url: string };
  readonly call: V1["call"];
}

/** The class under `useChat`, which sends answers as the stock helpers do. */
export function createChat(options: {
  version: string;
  id: string;
  messages?: UIMessage[];
  transport: object;
}): Chat {
  const { version, id, messages = [], transport } = options;
  const sdk = SDKS[version]!;
  return new (class extends sdk.AbstractChat {})({
    id,
    state: chatState(messages),
    transport,
    sendAutomaticallyWhen: (chat: { messages: UIMessage[] }) =>
      sdk.lastAssistantMessageIsCompleteWithApprovalResponses(chat) ||
      sdk.lastAssistantMessageIsCompleteWithToolCalls(chat),
  });
}

/** Counts its requests, and keeps every chunk that came over the wire. */
export class StockChat {
  readonly chat: Chat;
  readonly posts: { body: Record<string, unknown>; status?: number }[] = [];
  /** The statuses of its attempts to resume. */
  readonly resumes: number[] = [];
  readonly chunks: UIMessageChunk[] = [];
  readonly #v1: ChatServer;
  readonly #deadlineMs: number;

  constructor(v1: ChatServer, options: StockChatOptions) {
    this.#v1 = v1;
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    const sdk = SDKS[options.version]!;
    const transport = new sdk.DefaultChatTransport({
      api: `${v1.server.url}/api/chat`,
      headers: AUTHORIZED,
      body: options.body,
      fetch: (url: string, init?: RequestInit) => this.#fetch(options.fetch ?? fetch, url, init),
      ...(options.lastMessageOnly && { prepareSendMessagesRequest: lastMessageOnly }),
    });
    this.chat = createChat({ ...options, transport });
  }

  get last(): UIMessage {
    return this.chat.messages.at(-1)!;
  }

  get tools(): ToolPart[] {
    return this.last.parts.filter(isToolPart);
  }

  get asked(): ToolPart[] {
    return this.tools.filter(({ state }) => state === "approval-requested");
  }

  get text(): string {
    return textOf(this.last);
  }

  /** Clicks on the first approval that is asked for. */
  reply(approved: boolean, reason?: string): PromiseLike<void> {
    return this.chat.addToolApprovalResponse({ id: this.asked[0]!.approval!.id, approved, reason });
  }

  /** Waits until nothing is under way and so many requests were sent. */
  async ready(posts: number, status: Chat["status"] = "ready"): Promise<void> {
    await vi.waitFor(
      () => {
        expect(this.posts).toHaveLength(posts);
        expect([this.chat.status, this.chat.error?.message]).toEqual([status, this.chat.error?.message]);
      },
      { timeout: this.#deadlineMs, interval: 5 },
    );
  }

  async until(what: string, isTrue: () => boolean): Promise<void> {
    await vi.waitFor(() => expect(isTrue(), what).toBe(true), { timeout: this.#deadlineMs, interval: 2 });
  }

  /** As a page does it: when the turn ended in the meantime there is nothing to resume, and the history has it all. */
  async resume(): Promise<void> {
    await this.chat.resumeStream();
    if (this.resumes.at(-1) === 204) this.chat.messages = await this.stored();
  }

  /** What the server has of this chat. */
  async stored(): Promise<UIMessage[]> {
    return storedMessages(this.#v1, this.chat.id);
  }

  /** Ids, roles and parts are the same live and stored, and every client takes every chunk there was. */
  async expectStored({ without }: { without?: string } = {}): Promise<void> {
    const [live, stored] = [this.chat.messages, await this.stored()].map((messages) =>
      shapeOf(
        messages.map((message) => ({
          ...message,
          parts: message.parts.filter(({ type }) => type !== without),
        })),
      ),
    );
    expect(live).toEqual(stored);
    await this.expectValidChunks();
  }

  async expectValidChunks(): Promise<void> {
    for (const chunk of this.chunks) {
      for (const [version, sdk] of Object.entries(SDKS)) {
        const result = await sdk.uiMessageChunkSchema().validate?.(chunk);
        expect(result?.success, `${version} takes ${JSON.stringify(chunk).slice(0, 300)}`).toBe(true);
      }
    }
  }

  async #fetch(send: typeof fetch, url: string, init: RequestInit = {}): Promise<Response> {
    const post: (typeof this.posts)[number] = { body: {} };
    if (init.method === "POST") {
      post.body = JSON.parse(String(init.body));
      this.posts.push(post);
    }
    const response = await send(url, init);
    if (init.method === "POST") post.status = response.status;
    else this.resumes.push(response.status);
    if (!response.body || !response.ok) return response;
    const [shown, kept] = response.body.tee();
    void this.#keep(kept);
    return new Response(shown, { status: response.status, headers: response.headers });
  }

  async #keep(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = "";
    const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
    try {
      for await (const piece of text) {
        const frames = (rest + piece).split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          if (frame.startsWith("data: {")) this.chunks.push(JSON.parse(frame.slice("data: ".length)));
        }
      }
    } catch {
      // The connection was cut, which is what some tests are about.
    }
  }
}

export async function storedMessages(v1: ChatServer, session: string): Promise<UIMessage[]> {
  return (await v1.call("GET", `/api/chat/${session}/messages`)).body.messages;
}

export function textOf(message: UIMessage): string {
  return message.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
}

/** Without metadata, without fields that are undefined, and without the id of reasoning, which only newer clients keep. */
export function shapeOf(messages: readonly UIMessage[]): unknown {
  const shapes = messages.map(({ id, role, parts }) => ({
    id,
    role,
    parts: parts.map((part) => (part.type === "reasoning" ? { ...part, id: undefined } : part)),
  }));
  return JSON.parse(JSON.stringify(shapes));
}

function lastMessageOnly(request: {
  id: string;
  messages: UIMessage[];
  trigger: string;
  messageId?: string;
}) {
  const { id, messages, trigger, messageId } = request;
  return { body: { id, message: messages.at(-1), trigger, messageId } };
}

function chatState(messages: UIMessage[]) {
  const state = {
    status: "ready",
    error: undefined,
    messages,
    pushMessage: (message: UIMessage) => {
      state.messages = [...state.messages, message];
    },
    popMessage: () => {
      state.messages = state.messages.slice(0, -1);
    },
    replaceMessage: (index: number, message: UIMessage) => {
      state.messages = state.messages.with(index, structuredClone(message));
    },
    snapshot: <Value>(value: Value) => structuredClone(value),
  };
  return state;
}
