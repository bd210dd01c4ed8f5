/** The sample adapter of the guide, with a small agent behind it that answers, streams, asks and can be stopped. */
import type { Interruptible } from "../core/adapter.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import type {
  UnifiedAdapter,
  UnifiedCapabilities,
  UnifiedConnectOptions,
  UnifiedSession,
} from "./unified-adapter.ts";
import type { UnifiedMessage } from "./unified-message.ts";

/** As the guide has it, but for the names of its types. */
export class MyBackendSession implements UnifiedSession, Interruptible {
  readonly sessionId: string;
  private closed = false;
  private queue: UnifiedMessage[] = [];
  private resolve: ((result: IteratorResult<UnifiedMessage>) => void) | null = null;
  private done = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  send(message: UnifiedMessage): void {
    if (this.closed) throw new Error("Session is closed");
    this.handle(message);
  }

  get messages(): AsyncIterable<UnifiedMessage> {
    return {
      [Symbol.asyncIterator]: () => ({
        next: (): Promise<IteratorResult<UnifiedMessage>> => {
          if (this.queue.length > 0) {
            return Promise.resolve({ value: this.queue.shift()!, done: false });
          }
          if (this.done) {
            return Promise.resolve({ value: undefined, done: true });
          }
          return new Promise((r) => {
            this.resolve = r;
          });
        },
      }),
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.done = true;
    if (this.resolve) {
      const r = this.resolve;
      this.resolve = null;
      r({ value: undefined, done: true });
    }
  }

  interrupt(): void {
    if (!this.isWorking) return;
    this.finish({ subtype: "error", error_code: "aborted", is_error: false });
  }

  protected pushMessage(msg: UnifiedMessage): void {
    if (this.resolve) {
      const r = this.resolve;
      this.resolve = null;
      r({ value: msg, done: false });
    } else {
      this.queue.push(msg);
    }
  }

  // The agent.

  private isWorking = false;

  private handle(message: UnifiedMessage): void {
    if (message.type === "permission_response") {
      const word = message.metadata.behavior === "allow" ? "done" : "skipped";
      this.say(`I have ${word} it.`);
      return this.finish({ subtype: "success" });
    }
    if (message.type !== "user_message") return;
    this.isWorking = true;
    const [text] = message.content.map((block) => (block.type === "text" ? block.text : ""));
    switch (text) {
      case "work for ever":
        return this.stream("I begin. ");
      case "need a permission": {
        const metadata = { request_id: `r-${message.id}`, tool_name: "bash", input: { command: "ls" } };
        return this.pushMessage(
          createUnifiedMessage({ type: "permission_request", role: "system", metadata }),
        );
      }
      case "stream": {
        const words = Array.from({ length: 20 }, (_, at) => `word-${at} `);
        for (const word of words) this.stream(word);
        // As many adapters do, it tells the whole once more.
        this.say(words.join(""));
        return this.finish({ subtype: "success" });
      }
      default:
        this.say(`You said: ${text}`);
        this.finish({ subtype: "success", usage: { input_tokens: 5, output_tokens: 7 }, cost: 0.01 });
    }
  }

  private stream(text: string): void {
    const content = [{ type: "text" as const, text }];
    this.pushMessage(createUnifiedMessage({ type: "stream_event", role: "system", content }));
  }

  private say(text: string): void {
    const content = [{ type: "text" as const, text }];
    this.pushMessage(createUnifiedMessage({ type: "assistant", role: "assistant", content }));
  }

  private finish(metadata: Record<string, unknown>): void {
    this.isWorking = false;
    this.pushMessage(createUnifiedMessage({ type: "result", role: "system", metadata }));
  }
}

/** As the guide has it. */
export class MyBackendAdapter implements UnifiedAdapter {
  readonly name = "my-backend";

  readonly capabilities: UnifiedCapabilities = {
    streaming: true,
    permissions: true,
    slashCommands: false,
    availability: "local",
  };

  async connect(options: UnifiedConnectOptions): Promise<UnifiedSession> {
    if (options.adapterOptions?.cwd === "/does/not/exist") throw new Error("Failed to connect to my-backend");
    return new MyBackendSession(options.sessionId);
  }
}
