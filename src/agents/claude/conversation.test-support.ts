/** For tests: what lines mean, one after the other, without a process. */
import type { Command } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import { type ClaudeState, INITIAL_STATE } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";
import { outbound } from "./outbound.ts";

const inbound = createInbound({});

/** A conversation of which only the lines are known. */
export class Conversation {
  state: ClaudeState = INITIAL_STATE;
  /** The lines we wrote. */
  readonly sent: Record<string, unknown>[] = [];

  /** Claude Code says it. */
  hear(...lines: object[]): Draft[] {
    return lines.flatMap((line) => this.#translate("in", JSON.stringify(line)));
  }

  /** We say it. */
  say(command: Command): void {
    this.write(inbound.encode(this.state, command));
  }

  prompt(message: string, options: { steer?: boolean; text?: string } = {}): string {
    const { text = message, ...rest } = options;
    this.say({ type: "prompt", message, parts: [{ type: "text", text }], ...rest });
    return String(this.sent.at(-1)?.uuid);
  }

  write(lines: readonly string[]): void {
    for (const line of lines) {
      this.#translate("out", line);
      this.sent.push(JSON.parse(line));
    }
  }

  #translate(direction: "in" | "out", data: string): Draft[] {
    const [state, drafts] = outbound.translate(this.state, { direction, data });
    this.state = state;
    return [...drafts];
  }
}

export const init = {
  type: "system",
  subtype: "init",
  session_id: "native",
  model: "opus",
  permissionMode: "default",
  tools: ["Bash"],
  slash_commands: ["cost"],
};

export const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  total_cost_usd: 0,
  modelUsage: {},
};

export const interrupted = {
  ...result,
  subtype: "error_during_execution",
  is_error: true,
  errors: ["[ede_diagnostic] nothing for people"],
  terminal_reason: "aborted_tools",
};

export const lifecycle = (uuid: string, state: string) => ({
  type: "command_lifecycle",
  command_uuid: uuid,
  state,
});

export const stream = (event: object, more: object = {}) => ({ type: "stream_event", event, ...more });

export const messageStart = (id: string) =>
  stream({ type: "message_start", message: { id, model: "opus", usage: { input_tokens: 1 } } });

export const textDelta = (text: string, index = 0) =>
  stream({ type: "content_block_delta", index, delta: { type: "text_delta", text } });

export const textStart = (index = 0) =>
  stream({ type: "content_block_start", index, content_block: { type: "text", text: "" } });

export const assistant = (id: string, block: object, more: object = {}) => ({
  type: "assistant",
  message: { id, model: "opus", content: [block], stop_reason: null },
  parent_tool_use_id: null,
  ...more,
});

export const bash = { type: "tool_use", id: "call", name: "Bash", input: { command: "ls" } };

export const mayUse = (request: object, id = "ask") => ({
  type: "control_request",
  request_id: id,
  request: { subtype: "can_use_tool", tool_name: "Bash", input: bash.input, tool_use_id: "call", ...request },
});
