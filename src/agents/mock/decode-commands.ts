/** The mock's requests → the commands they carried: the inverse of inbound.ts. Pure. */
import type { Command, CommandOf } from "../../core/command.ts";
import { parseLine } from "../transport/line-text.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { MockState } from "./conversation-state.ts";
import { permissionModeOf } from "./vocabulary.ts";
import type { AnswerParams, PromptParams, WireConfiguration, WireRequest } from "./wire.ts";

export const decodeCommands: DecodeCommands<MockState> = (_state, { direction, data }) => {
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

function toReply({ ask, option, answers, note, input }: AnswerParams): CommandOf<"reply"> {
  return { type: "reply", ask, option, answers, message: note, input };
}

function toConfigure({
  model,
  mode,
  permissions,
  effort,
}: Partial<WireConfiguration>): CommandOf<"configure"> {
  const settings = effort === undefined ? undefined : { effort };
  return { type: "configure", model, mode, permissionMode: permissionModeOf(permissions), settings };
}
