/** Requests to a program of ours → the commands they carried: the inverse of inbound.ts. Pure. */
import type { AskEffect } from "../../core/ask.ts";
import type { Command, CommandOf } from "../../core/command.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { OwnState } from "./conversation-state.ts";
import type { OwnVocabulary } from "./vocabulary.ts";
import type { AnswerParams, OwnConfiguration, OwnRequest, PromptParams } from "./wire.ts";

export function createDecodeCommands(vocabulary: OwnVocabulary): DecodeCommands<OwnState> {
  return (_state, { direction, data }) => {
    if (direction !== "out" || typeof data !== "string") return [];
    const line = parseLine(data);
    return line.kind === "message" ? toCommands(line.message as unknown as OwnRequest, vocabulary) : [];
  };
}

function toCommands(request: OwnRequest, vocabulary: OwnVocabulary): readonly Command[] {
  switch (request.method) {
    case "prompt":
      return [toPrompt(request.params)];
    case "interrupt":
      return [{ type: "interrupt" }];
    case "answer":
      return [toReply(request.params)];
    case "configure":
      return [toConfigure(request.params, vocabulary)];
    case "rewind":
      return [{ type: "rewind", before: request.params.before }];
    case "stop_task":
      return [{ type: "stopTask", task: request.params.task }];
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

function toConfigure(
  configuration: Partial<OwnConfiguration>,
  { modesOf }: OwnVocabulary,
): CommandOf<"configure"> {
  const { model, effort } = configuration;
  const settings = effort === undefined ? undefined : { effort };
  return { type: "configure", model, ...modesOf(configuration), settings };
}
