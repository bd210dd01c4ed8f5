/** Commands → lines to a program of ours. Pure. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { AskEffect } from "../../core/ask.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
import { withContextAsText } from "../transport/context-text.ts";
import type { Encoder, OpeningStep } from "../transport/translator.ts";
import type { OwnState } from "./conversation-state.ts";
import type { AnswerParams, OwnConfiguration, OwnRequest, PromptParams, WireError } from "./wire.ts";

/** Each agent encodes these parts of a line itself. */
export interface OwnEncoding {
  /** How people call the agent; errors begin with it. */
  readonly title: string;
  readonly hasTasks: boolean;
  /** Called once, for the first line. */
  openParams(): object;
  /** Throws for what the agent does not have. */
  configuration(wanted: AgentSettings): Partial<OwnConfiguration>;
  answer(effect: AskEffect | undefined): Pick<AnswerParams, "effect" | "meaning">;
  promptTitle?(parts: readonly PromptPart[]): string | undefined;
}

type Call = OwnRequest extends infer Some ? (Some extends OwnRequest ? Omit<Some, "id"> : never) : never;

export function createOwnInbound(encoding: OwnEncoding): Encoder<OwnState> {
  return {
    open({ opening, nextRequest }) {
      if (opening === "ready") return { step: "ready" };
      if (opening === "sent") return { step: "wait" };
      if (opening !== "new") return refused(opening.failed);
      return {
        step: "send",
        lines: [line(nextRequest, { method: "open", params: encoding.openParams() })],
      };
    },
    unansweredChanges: ({ requests }) =>
      [...requests].filter(([, { method }]) => method === "configure").map(([id]) => id),
    encode: (state, command) => [line(state.nextRequest, toCall(encoding, command))],
  };
}

function refused({ code, message }: WireError): OpeningStep {
  const isLost = code === "unknown_conversation";
  return { step: "failed", reason: message, ...(isLost && { code: "conversation_lost" }) };
}

function line(id: number, call: Call): string {
  return JSON.stringify({ id, ...call });
}

function toCall(encoding: OwnEncoding, command: Command): Call {
  switch (command.type) {
    case "prompt":
      return { method: "prompt", params: promptParams(encoding, command) };
    case "interrupt":
      return { method: "interrupt", params: {} };
    case "reply":
      return { method: "answer", params: answerParams(encoding, command) };
    case "configure":
      return { method: "configure", params: encoding.configuration(command) };
    case "rewind":
      return { method: "rewind", params: { before: command.before } };
    case "stopTask":
      if (encoding.hasTasks) return { method: "stop_task", params: { task: command.task } };
      throw new InterlinguaError(
        "unsupported",
        `${encoding.title} has no tasks that could be ended one by one.`,
      );
  }
}

function promptParams(
  { promptTitle }: OwnEncoding,
  { message, parts, steer }: CommandOf<"prompt">,
): PromptParams {
  return {
    prompt: message,
    text: promptText(withContextAsText(parts)),
    title: steer ? undefined : promptTitle?.(parts),
    files: parts.flatMap((part) =>
      part.type === "file" ? [{ url: part.url, mediaType: part.mediaType, filename: part.filename }] : [],
    ),
    ...(steer && { steer }),
  };
}

function answerParams(
  { answer }: OwnEncoding,
  { ask, option, effect, answers, message, input }: CommandOf<"reply">,
): AnswerParams {
  return { ask, option, ...answer(effect), answers, note: message, input };
}
