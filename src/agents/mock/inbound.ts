/** Commands → the mock's lines. Pure. */

import type { AgentSettings, ConnectOptions } from "../../core/adapter.ts";
import type { AskEffect } from "../../core/ask.ts";
import { type PermissionMode, permissionModeSchema } from "../../core/capability.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import { assertOffered } from "../../core/offered-settings.ts";
import { promptText } from "../../core/prompt-part.ts";
import type { SettingValues } from "../../core/setting.ts";
import { withContextAsText } from "../transport/context-text.ts";
import { requireResumeId } from "../transport/resume-id.ts";
import type { Encoder, OpeningStep } from "../transport/translator.ts";
import type { MockState } from "./conversation-state.ts";
import { NAME, PERMISSIONS, SETTINGS, TITLE } from "./manifest.ts";
import {
  type AnswerParams,
  type OpenParams,
  type PromptParams,
  WIRE_VERSION,
  type WireConfiguration,
  type WireError,
  type WireMeaning,
  type WireRequest,
} from "./wire.ts";

type Call = WireRequest extends infer Some ? (Some extends WireRequest ? Omit<Some, "id"> : never) : never;

const MEANINGS: Readonly<Partial<Record<AskEffect, WireMeaning>>> = {
  once: "allow",
  always: "allow-always",
  reject: "deny",
  "reject-always": "deny",
};

/** The encoder of one session; what it was connected with goes into the first line. */
export function createInbound(options: ConnectOptions, pace: number | undefined): Encoder<MockState> {
  return {
    open({ opening, nextRequest }) {
      if (opening === "ready") return { step: "ready" };
      if (opening === "sent") return { step: "wait" };
      if (opening !== "new") return refused(opening.failed);
      return {
        step: "send",
        lines: [line(nextRequest, { method: "open", params: openParams(options, pace) })],
      };
    },
    unansweredChanges: ({ requests }) =>
      [...requests].filter(([, { method }]) => method === "configure").map(([id]) => id),
    encode(state, command) {
      return [line(state.nextRequest, toCall(command))];
    },
  };
}

function refused({ code, message }: WireError): OpeningStep {
  const isLost = code === "unknown_conversation";
  return { step: "failed", reason: message, ...(isLost && { code: "conversation_lost" }) };
}

function line(id: number, call: Call): string {
  return JSON.stringify({ id, ...call });
}

function toCall(command: Command): Call {
  switch (command.type) {
    case "prompt":
      return { method: "prompt", params: promptParams(command) };
    case "interrupt":
      return { method: "interrupt", params: {} };
    case "reply":
      return { method: "answer", params: answerParams(command) };
    case "configure":
      return { method: "configure", params: configuration(command) };
    case "rewind":
      return { method: "rewind", params: { before: command.before } };
    case "stopTask":
      return { method: "stop_task", params: { task: command.task } };
  }
}

function openParams(options: ConnectOptions, pace: number | undefined): OpenParams {
  return {
    wire: WIRE_VERSION,
    conversation: requireResumeId(TITLE, options),
    configuration: configuration(options),
    pace,
    secretNames: Object.keys(options.environment ?? {}),
  };
}

function configuration(wanted: AgentSettings): Partial<WireConfiguration> {
  const { model, mode, permissionMode, settings } = wanted;
  return {
    model,
    mode,
    permissions: permissionMode === undefined ? undefined : PERMISSIONS[knownMode(permissionMode)],
    effort: chosenEffort(settings),
  };
}

function chosenEffort(settings: SettingValues | undefined): string | undefined {
  assertOffered(NAME, SETTINGS, settings);
  return settings?.effort as string | undefined;
}

function knownMode(name: string): PermissionMode {
  const known = permissionModeSchema.safeParse(name);
  if (known.success) return known.data;
  const names = Object.keys(PERMISSIONS).join(", ");
  throw new InterlinguaError(
    "unsupported",
    `${TITLE} has no permission mode "${name}"; use one of ${names}.`,
  );
}

function promptParams({ message, parts, steer }: CommandOf<"prompt">): PromptParams {
  return {
    prompt: message,
    text: promptText(withContextAsText(parts)),
    files: parts.flatMap((part) =>
      part.type === "file" ? [{ url: part.url, mediaType: part.mediaType, filename: part.filename }] : [],
    ),
    ...(steer && { steer }),
  };
}

function answerParams({ ask, option, effect, answers, message, input }: CommandOf<"reply">): AnswerParams {
  return { ask, option, meaning: effect && MEANINGS[effect], answers, note: message, input };
}
