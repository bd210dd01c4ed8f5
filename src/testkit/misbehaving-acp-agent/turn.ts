/** What a scenario can do in its turn. */
import type { Fields, Id, Speaker } from "./speaker.ts";

/** Answered with `result`, refused with `error`, or left to the scenario. */
export type TurnEnd =
  | { result: Fields }
  | { error: { code: number; message: string; data?: unknown } }
  | "done";

export const END: TurnEnd = { result: { stopReason: "end_turn" } };
export const CANCELLED: TurnEnd = { result: { stopReason: "cancelled" } };

export class Turn {
  readonly id: Id;
  readonly argument: string;
  /** The content blocks of the prompt. */
  readonly prompt: readonly Fields[];
  readonly speaker: Speaker;
  /** Resolves when the client cancels. */
  readonly cancelled: Promise<void>;
  readonly cancel: () => void;
  readonly #session: string;

  constructor(options: {
    id: Id;
    session: string;
    prompt: readonly Fields[];
    argument: string;
    speaker: Speaker;
  }) {
    this.id = options.id;
    this.#session = options.session;
    this.prompt = options.prompt;
    this.argument = options.argument;
    this.speaker = options.speaker;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.cancelled = promise;
    this.cancel = resolve;
  }

  update(update: Fields): void {
    this.speaker.notify("session/update", { sessionId: this.#session, update });
  }

  say(text: string): void {
    this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  /** Text as it is spelled in JSON, quotes and escapes included. */
  sayLiteral(literal: string): void {
    const mark = "THE TEXT";
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: mark } };
    const params = { sessionId: this.#session, update };
    this.speaker.sendLine(
      JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }).replace(
        `"${mark}"`,
        () => literal,
      ),
    );
  }

  think(text: string): void {
    this.update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } });
  }

  request(method: string, params: Fields, id?: Id): Promise<Fields> {
    return this.speaker.request(method, { sessionId: this.#session, ...params }, id);
  }

  /** The id of the option that was chosen; undefined when it was cancelled. */
  async ask(toolCall: Fields, options: readonly Fields[] = OPTIONS, id?: Id): Promise<string | undefined> {
    const { result } = await this.request("session/request_permission", { toolCall, options }, id);
    return ((result as Fields | undefined)?.outcome as Fields | undefined)?.optionId as string | undefined;
  }
}

export const OPTIONS: readonly Fields[] = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "always", name: "Always allow", kind: "allow_always" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
