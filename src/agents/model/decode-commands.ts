/** The agent's requests → the commands they carried: the inverse of inbound.ts. Pure. */
import type { AskEffect } from "../../core/ask.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { parseLine } from "../transport/line-text.ts";
import { inMode } from "../transport/shared-modes.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { ModelState } from "./conversation-state.ts";
import type { AnswerParams, PromptParams, WireConfiguration, WireRequest } from "./wire.ts";

export const decodeCommands: DecodeCommands<ModelState> = (_state, { direction, data }) => {
  if (direction !== "out" || typeof data !== "string") return [];
  const line = parseLine(data);
  return line.kind === "message" ? toCommands(line.message as unknown as WireRequest) : [];
};

function toCommands(request: WireRequest): readonly Command[] {
  switch (request.method) {
    case "prompt":
      return [toPrompt(request.params)];
    case "interrupt":
      return [{ type: "interrupt" }];
    case "answer":
      return [toReply(request.params)];
    case "configure":
      return [toConfigure(request.params)];
    case "rewind":
      return [{ type: "rewind", before: request.params.before }];
    default:
      return [];
  }
}

function toPrompt({ prompt, text, files, steer = false }: PromptParams): CommandOf<"prompt"> {
  return {
    type: "prompt",
    message: prompt,
    parts: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...files.map((file) => ({ type: "file" as const, ...file })),
    ],
    steer,
  };
}

function toReply({ ask, option, effect, answers, note, input }: AnswerParams): CommandOf<"reply"> {
  return { type: "reply", ask, option, effect: effect as AskEffect, answers, message: note, input };
}

function toConfigure({ model, permissions, effort }: Partial<WireConfiguration>): CommandOf<"configure"> {
  const settings = effort === undefined ? undefined : { effort };
  return { type: "configure", model, ...inMode(permissions), settings };
}
