/** Claude Code's input lines → the commands they carried: the inverse of inbound.ts. Pure. */
import type { Command, CommandOf } from "../../core/command.ts";
import { ownValue } from "../../core/own-value.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { parseLine } from "../transport/line-text.ts";
import { inMode } from "../transport/shared-modes.ts";
import type { DecodeCommands } from "../transport/translator.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { mentionOf } from "./inbound/prompt.ts";
import { NO_REASON } from "./inbound/reply.ts";
import { fromNativeMode } from "./manifest.ts";
import { questionId, wireQuestions } from "./outbound/ask.ts";
import { suggestionId } from "./outbound/permission-options.ts";
import { promptOnCommandLine } from "./process-record.ts";
import type {
  CanUseTool,
  ControlResponse,
  ElicitationResult,
  OwnRequest,
  PartLayout,
  PermissionResult,
  PromptLine,
} from "./wire.ts";

type Reply = CommandOf<"reply">;
type Answer = Omit<Reply, "type" | "ask">;

export const decodeCommands: DecodeCommands<ClaudeState> = (state, { direction, data }) => {
  if (typeof data !== "string") return data.event === "spawn" ? promptAtStart(promptOnCommandLine(data)) : [];
  const line = direction === "out" ? parseLine(data) : undefined;
  if (line?.kind !== "message") return [];
  const { message } = line;
  switch (message.type) {
    case "user":
      return toPrompt(message as unknown as PromptLine);
    case "control_request":
      return toCommand(message.request as OwnRequest);
    case "control_response":
      return toReply(state, message as unknown as AnswerLine);
    default:
      return [];
  }
};

function promptAtStart(text: string | undefined): readonly Command[] {
  return text === undefined ? [] : [{ type: "prompt", message: "", parts: [{ type: "text", text }] }];
}

function toPrompt({ message, uuid = "", interlingua }: PromptLine): readonly CommandOf<"prompt">[] {
  const { content } = message;
  const parts: PromptPart[] =
    typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(toPart);
  if (!interlingua) return [{ type: "prompt", message: uuid, parts }];
  // The answer before it has told of these words.
  if ("withAnswer" in interlingua) return [];
  const { message: id, steer, parts: layout } = interlingua;
  return [{ type: "prompt", message: id, parts: layout ? layOut(layout, parts) : parts, steer }];
}

/** The parts as they were given: their texts, which were joined, and the files, in their places. */
function layOut(layout: readonly PartLayout[], parts: readonly PromptPart[]): PromptPart[] {
  const files = parts.filter((part) => part.type === "file");
  let rest = parts.find((part) => part.type === "text")?.text ?? "";
  const takeText = (length: number): string => {
    const text = rest.slice(0, length);
    rest = rest.slice(length + 1);
    return text;
  };
  return layout.flatMap((part): PromptPart[] => {
    if ("text" in part) return [{ type: "text", text: takeText(part.text) }];
    const named = part.filename === undefined ? {} : { filename: part.filename };
    if ("mention" in part) {
      takeText(mentionOf(part.mention).length);
      return [{ type: "file", url: part.mention, mediaType: part.mediaType, ...named }];
    }
    const file = files.shift();
    return file ? [{ ...file, ...named }] : [];
  });
}

interface ContentBlock {
  type: string;
  text?: string;
  title?: string;
  source?: { type: string; media_type?: string; data?: string; url?: string };
}

function toPart(block: unknown): PromptPart[] {
  const { type, text, title, source } = block as ContentBlock;
  if (type === "text" && text !== undefined) return [{ type: "text", text }];
  if (!source) return [];
  const mediaType = source.media_type ?? (type === "image" ? "image/*" : "application/pdf");
  const named = title === undefined ? {} : { filename: title };
  if (source.url !== undefined) return [{ type: "file", url: source.url, mediaType, ...named }];
  const data = source.data ?? "";
  const url =
    source.type === "base64"
      ? `data:${mediaType};base64,${data}`
      : `data:${mediaType},${encodeURIComponent(data)}`;
  return [{ type: "file", url, mediaType, ...named }];
}

function toCommand(request: OwnRequest): readonly Command[] {
  switch (request.subtype) {
    case "interrupt":
      return request.interlingua === "leaving" ? [] : [{ type: "interrupt" }];
    case "stop_task":
      return [{ type: "stopTask", task: request.task_id }];
    case "set_model":
      return [{ type: "configure", model: request.model ?? "default" }];
    case "set_permission_mode":
      return [{ type: "configure", ...inMode(fromNativeMode(request.mode)) }];
    case "apply_flag_settings":
      return [{ type: "configure", settings: { effort: request.settings.effortLevel } }];
    default:
      return [];
  }
}

interface AnswerLine {
  readonly response: ControlResponse;
  readonly interlingua?: { readonly words: string };
}

/** An error in place of an answer is none: the call fails, and nobody decided. */
function toReply({ asks }: ClaudeState, { response: answer, interlingua }: AnswerLine): readonly Command[] {
  const asked = asks.get(answer.request_id);
  if (!asked || answer.subtype !== "success") return [];
  const given =
    asked.subtype === "elicitation"
      ? toElicitationAnswer(answer.response as ElicitationResult)
      : toAnswer(asked, answer.response as PermissionResult);
  return [
    { type: "reply", ask: answer.request_id, ...given, ...(interlingua && { message: interlingua.words }) },
  ];
}

function toAnswer(asked: CanUseTool, result: PermissionResult): Answer {
  const isPlan = asked.tool_name === "ExitPlanMode";
  if (result.behavior === "deny") {
    const option = isPlan ? "reject" : result.interrupt ? "deny-stop" : "deny";
    return { option, ...(result.message !== NO_REASON && { message: result.message }) };
  }
  if (asked.tool_name === "AskUserQuestion") return { answers: toAnswers(asked, result.updatedInput) };
  const { updatedPermissions = [] } = result;
  if (isPlan) return { option: updatedPermissions.length > 0 ? "approve-accept-edits" : "approve" };
  const isChanged =
    result.updatedInput !== undefined && JSON.stringify(result.updatedInput) !== JSON.stringify(asked.input);
  return { option: toOption(asked, updatedPermissions[0]), ...(isChanged && { input: result.updatedInput }) };
}

function toOption({ permission_suggestions: suggestions = [] }: CanUseTool, chosen: unknown): string {
  if (chosen === undefined) return "allow";
  const index = suggestions.findIndex((suggestion) => JSON.stringify(suggestion) === JSON.stringify(chosen));
  return index < 0 ? "allow" : suggestionId(index);
}

function toAnswers({ input }: CanUseTool, updatedInput: unknown): Record<string, string[]> {
  const { answers = {} } = updatedInput as { answers?: Record<string, string> };
  return Object.fromEntries(
    wireQuestions(input).flatMap(({ question }, index) => {
      const given = ownValue(answers, question);
      return given === undefined ? [] : [[questionId(index), [given]]];
    }),
  );
}

function toElicitationAnswer({ action, content }: ElicitationResult): Answer {
  if (action !== "accept") return { option: action };
  if (!content) return { option: "accept" };
  const answers = Object.entries(content).map(([name, value]) => [name, [value].flat().map(String)]);
  return { answers: Object.fromEntries(answers) };
}
