/**
 * An adapter in the other shape: UnifiedMessages in and out. It is the sample of the guide to that protocol, `MyBackendSession`
 * and `MyBackendAdapter`, completed with the few lines that reach the same program as `adapter.ts` does.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { type AdapterContext, InterlinguaError } from "interlingua/adapter";
import {
  createUnifiedMessage,
  type FromUnifiedOptions,
  type Interruptible,
  isUnifiedMessage,
  type UnifiedAdapter,
  type UnifiedCapabilities,
  type UnifiedConnectOptions,
  type UnifiedMessage,
  type UnifiedSession,
} from "interlingua/unified";

type Wire = Readonly<Record<string, unknown>>;

/** What the four capabilities of that port do not tell. */
export const unified: FromUnifiedOptions = { capabilities: { resume: true }, adapterOptions: [] };

export class MyBackendSession implements UnifiedSession, Interruptible {
  readonly sessionId: string;
  readonly #agent: ChildProcessByStdio<Writable, Readable, null>;
  #closed = false;
  #queue: UnifiedMessage[] = [];
  #resolve: ((result: IteratorResult<UnifiedMessage>) => void) | null = null;
  #done = false;

  constructor(sessionId: string, agent: ChildProcessByStdio<Writable, Readable, null>) {
    this.sessionId = sessionId;
    this.#agent = agent;
    agent.stdin.on("error", () => {});
    agent.on("exit", () => this.#finish());
  }

  send(message: UnifiedMessage): void {
    if (this.#closed) throw new Error("Session is closed");
    const wire = toWire(message);
    if (wire) this.#agent.stdin.write(`${JSON.stringify(wire)}\n`);
  }

  get messages(): AsyncIterable<UnifiedMessage> {
    return {
      [Symbol.asyncIterator]: () => ({
        next: (): Promise<IteratorResult<UnifiedMessage>> => {
          const value = this.#queue.shift();
          if (value) return Promise.resolve({ value, done: false });
          if (this.#done) return Promise.resolve({ value: undefined, done: true });
          return new Promise((resolve) => {
            this.#resolve = resolve;
          });
        },
      }),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#finish();
    if (this.#agent.exitCode !== null || this.#agent.signalCode !== null) return;
    const gone = new Promise((done) => this.#agent.once("exit", done));
    this.#agent.kill("SIGKILL");
    await gone;
  }

  interrupt(): void {
    this.send(createUnifiedMessage({ type: "interrupt", role: "user" }));
  }

  /** What the backend says. */
  pushMessage(message: UnifiedMessage): void {
    if (!isUnifiedMessage(message)) return;
    const resolve = this.#resolve;
    this.#resolve = null;
    if (resolve) resolve({ value: message, done: false });
    else this.#queue.push(message);
  }

  #finish(): void {
    this.#done = true;
    const resolve = this.#resolve;
    this.#resolve = null;
    resolve?.({ value: undefined, done: true });
  }
}

class MyBackendAdapter implements UnifiedAdapter {
  readonly name = "my-backend";
  readonly capabilities: UnifiedCapabilities = {
    streaming: true,
    permissions: true,
    slashCommands: false,
    availability: "local",
  };
  readonly #directory: AdapterContext["directory"];

  constructor(directory: AdapterContext["directory"]) {
    this.#directory = directory;
  }

  async connect({ sessionId, resume, adapterOptions = {} }: UnifiedConnectOptions): Promise<UnifiedSession> {
    const known = resume ? [String(adapterOptions.agentSessionId)] : [];
    const program = join(import.meta.dirname, "parrot.js");
    const agent = spawn(process.execPath, [program, this.#directory(), ...known], {
      cwd: String(adapterOptions.cwd ?? "."),
      stdio: ["pipe", "pipe", "ignore"],
    });
    const session = new MyBackendSession(sessionId, agent);
    return new Promise((ready, fail) => {
      agent.once("error", (error) => fail(new Error(`Failed to connect to my-backend: ${error.message}`)));
      agent.once("exit", () => fail(new Error("Failed to connect to my-backend: it left at once")));
      createInterface({ input: agent.stdout }).on("line", (line) => {
        const wire: Wire = JSON.parse(line);
        if (wire.type === "lost")
          return fail(new InterlinguaError("conversation_lost", "my-backend has no such conversation."));
        for (const message of toUnified(wire)) session.pushMessage(message);
        if (wire.type === "hello") ready(session);
      });
    });
  }
}

/** A function, because the adapter needs something of the context. A class that needs nothing can be exported as it is. */
export default ({ directory }: AdapterContext): UnifiedAdapter => new MyBackendAdapter(directory);

/** Backend → consumer. */
export function toUnified(wire: Wire): UnifiedMessage[] {
  switch (wire.type) {
    case "hello":
      return [
        createUnifiedMessage({
          type: "session_init",
          role: "system",
          metadata: { agent_session_id: wire.id },
        }),
      ];
    case "say":
      return [
        createUnifiedMessage({
          type: "assistant",
          role: "assistant",
          content: [{ type: "text", text: String(wire.text) }],
        }),
      ];
    case "may-i":
      return [
        createUnifiedMessage({
          type: "permission_request",
          role: "system",
          metadata: { request_id: wire.id, tool_name: wire.tool, tool_use_id: wire.id, input: wire.input },
        }),
      ];
    case "did":
      return [
        createUnifiedMessage({
          type: "tool_use_summary",
          role: "tool",
          content: [{ type: "tool_result", tool_use_id: String(wire.id), content: String(wire.output) }],
          metadata: { tool_use_id: wire.id },
        }),
      ];
    case "done":
      return [
        createUnifiedMessage({
          type: "result",
          role: "system",
          metadata: wire.stopped === true ? { error_code: "aborted" } : {},
        }),
      ];
    default:
      return [createUnifiedMessage({ type: "unknown", role: "system", metadata: { wire } })];
  }
}

/** Consumer → backend. */
export function toWire(message: UnifiedMessage): Wire | null {
  switch (message.type) {
    case "user_message":
      return {
        type: "ask",
        text: message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join(""),
      };
    case "permission_response":
      return {
        type: "permit",
        id: message.metadata.request_id,
        allow: message.metadata.behavior === "allow",
      };
    case "interrupt":
      return { type: "stop" };
    default:
      return null;
  }
}
