/**
 * Follows the messages of a chat as they are written, each by its own stream, and resumes a stream after the frames it has.
 * Which messages there are it knows from the stored ones and from the stream of the chat.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { SessionEvent } from "../../../src/core/event.ts";
import type { UIMessageChunk } from "../../../src/dialects/ai-sdk/chunk.ts";
import type { UIMessage } from "../../../src/dialects/ai-sdk/ui-message.ts";
import {
  expectTranscript,
  foldTranscript,
  messageStory,
} from "../../../src/testkit/dialect-contract/index.ts";
import { until } from "../../../src/testkit/until.ts";
import { type DaemonClient, dataLines } from "../../daemon-client.ts";
import { aiSdkHistory, aiSdkStreams } from "../transcripts/ai-sdk.ts";
import { Repeated, type Watcher } from "./watcher.ts";

interface Followed {
  readonly frames: string[];
  isComplete: boolean;
}

export class AiSdkWatcher implements Watcher {
  readonly dialect = "chat";
  readonly #client: DaemonClient;
  readonly #session: string;
  readonly #messages = new Map<string, Followed>();
  readonly #reading: Repeated;

  constructor(client: DaemonClient, session: string) {
    this.#client = client;
    this.#session = session;
    this.#reading = new Repeated((signal) => this.#read(signal));
  }

  cut(): void {
    this.#reading.cut();
  }

  async finish(log: readonly SessionEvent[]): Promise<void> {
    const ids = foldTranscript(log).flatMap(({ role, id }) => (role === "assistant" ? [id!] : []));
    const isComplete = () => ids.every((id) => this.#messages.get(id)?.isComplete);
    await until(() => this.#reading.failure !== undefined || isComplete());
    await this.close();
    expect(this.#reading.failure).toBeUndefined();
    for (const id of ids) {
      const shown = this.#messages.get(id)!.frames.map((line) => ({ text: `data: ${line}` }));
      for (const contract of aiSdkStreams) await expectTranscript(contract, messageStory(shown, log, id));
    }
    await expectTranscript(aiSdkHistory, { shown: await this.#stored(), log });
  }

  close(): Promise<void> {
    return this.#reading.close();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const path = `/api/chat/${this.#session}`;
    for (const { id, role } of await this.#stored(signal)) if (role === "assistant") this.#know(id);
    const response = await this.#client.request("GET", `${path}/stream`, undefined, signal);
    const run = response.headers.get("x-workflow-run-id");
    const running = response.status === 200 && run !== null ? await firstMessage(response) : undefined;
    if (running !== undefined) this.#know(running);
    for (const [id, message] of this.#messages)
      if (!message.isComplete) await this.#follow(id, message, signal);
    await sleep(5);
  }

  #know(id: string): void {
    if (!this.#messages.has(id)) this.#messages.set(id, { frames: [], isComplete: false });
  }

  async #follow(id: string, message: Followed, signal: AbortSignal): Promise<void> {
    const path = `/api/chat/${this.#session}/messages/${id}/stream?startIndex=${message.frames.length}`;
    const response = await this.#client.request("GET", path, undefined, signal);
    // It was taken back.
    if (response.status === 404) return void this.#messages.delete(id);
    expect(response.status).toBe(200);
    /** The daemon ends a stream that it cuts off with such a chunk, which is not of the message and does not count. */
    let error: string | undefined;
    for await (const line of dataLines(response)) {
      if (error !== undefined) message.frames.push(error);
      error = isError(line) ? line : undefined;
      if (line === "[DONE]") message.isComplete = true;
      else if (error === undefined) message.frames.push(line);
    }
  }

  /** All of them, page by page. */
  async #stored(signal?: AbortSignal): Promise<UIMessage[]> {
    const found: UIMessage[] = [];
    for (let before = ""; ; ) {
      const path = `/api/chat/${this.#session}/messages?limit=100${before}`;
      const response = await this.#client.request("GET", path, undefined, signal);
      const { messages, hasMore } = (await response.json()) as { messages: UIMessage[]; hasMore: boolean };
      found.unshift(...messages);
      if (!hasMore) return found;
      before = `&before=${messages[0]!.id}`;
    }
  }
}

function isError(line: string): boolean {
  return line !== "[DONE]" && (JSON.parse(line) as UIMessageChunk).type === "error";
}

/** Which message a stream is of; the rest is not read. Undefined where it broke, or was cut off, before it said so. */
async function firstMessage(response: Response): Promise<string | undefined> {
  for await (const line of dataLines(response)) return (JSON.parse(line) as { messageId?: string }).messageId;
  return undefined;
}
