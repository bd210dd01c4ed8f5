/** For tests: a conversation without a process. Lines go to Codex, and the test says what it answers. */
import type { ConnectOptions } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";
import type { CodexState } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";
import { nativeMcpServers } from "./mcp-servers.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";

export const THREAD = "01a1dcbc-0000-7000-8000-000000000001";

export class Conversation {
  state: CodexState = outbound.initial;
  readonly drafts: object[] = [];
  /** What was sent since the last look. */
  sent: Record<string, unknown>[] = [];
  readonly #encoder;

  constructor(connect: Partial<ConnectOptions> = {}) {
    const options = { sessionId: "s", cwd: "/home/dev/project", ...connect };
    const session = {
      connect: options,
      options: optionsSchema.parse(options.adapterOptions ?? {}),
      mcpServers: nativeMcpServers(options),
    };
    this.#encoder = createInbound(session, "s1");
  }

  open() {
    const step = this.#encoder.open(this.state);
    if (step.step === "send") this.#send(step.lines);
    return step.step;
  }

  hear(message: object): void {
    const [state, drafts] = outbound.translate(this.state, {
      direction: "in",
      data: JSON.stringify(message),
    });
    this.state = state;
    this.drafts.push(...drafts);
    this.#send(this.#encoder.answer!(this.state));
  }

  /** Answers the request that was sent last. */
  answer(result: object): void {
    this.hear({ id: [...this.state.rpc.sent.keys()].at(-1), result });
  }

  holds(command: Command): boolean {
    return this.#encoder.holds!(this.state, command);
  }

  send(command: Command): Record<string, unknown>[] {
    this.sent = [];
    this.#send(this.#encoder.encode(this.state, command));
    return this.sent;
  }

  shutDown() {
    const step = this.#encoder.shutDown!(this.state);
    this.sent = [];
    if (step.step === "send") this.#send(step.lines);
    return step.step;
  }

  /** With its thread open. */
  static opened(connect: Partial<ConnectOptions> = {}): Conversation {
    const conversation = new Conversation(connect);
    conversation.open();
    conversation.answer({ thread: { id: THREAD }, model: "gpt-5.5" });
    return conversation;
  }

  /** In the middle of a turn. */
  static running(): Conversation {
    const conversation = Conversation.opened();
    conversation.send({ type: "prompt", message: "m1", parts: [{ type: "text", text: "go" }] });
    conversation.answer({ turn: { id: "t1" } });
    conversation.hear(told("turn/started", { turn: { id: "t1" } }));
    return conversation;
  }

  #send(lines: readonly string[]): void {
    for (const data of lines) {
      this.sent.push(JSON.parse(data));
      const [state, drafts] = outbound.translate(this.state, { direction: "out", data });
      this.state = state;
      this.drafts.push(...drafts);
    }
  }
}

export const told = (method: string, params: object) => ({
  method,
  params: { threadId: THREAD, turnId: "t1", ...params },
});
export const command = (id: string, processId: string | null) =>
  told("item/started", { item: { type: "commandExecution", id, command: "sleep 9", processId } });
