/**
 * What a consumer sends → what it wants. Pure, and for any message: what cannot be read says which field is wrong. Who may
 * do it, and whether there is something to do it to, is decided elsewhere.
 */
import { messageIdSchema } from "../core/identifier.ts";
import { isRecord } from "../core/is-record.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import { type SettingValues, settingValuesSchema } from "../core/setting.ts";
import { promptParts } from "./inbound/prompt-parts.ts";
import { unifiedId } from "./unified-id.ts";
import type { UnifiedMessage, UnifiedMessageType } from "./unified-message.ts";

/** What a consumer wants. */
export type UnifiedRequest =
  | {
      type: "prompt";
      /** The id of the message, or one that follows from it where ours may not be like that. */
      message: string;
      parts: PromptPart[];
      whenBusy?: "queue" | "steer" | "reject";
      /** For the turn of this prompt alone. */
      settings?: SettingValues;
    }
  | ({ type: "reply" } & UnifiedReply)
  | { type: "interrupt" }
  | {
      type: "configure";
      model?: string;
      mode?: string;
      permissionMode?: string;
      settings?: SettingValues;
    }
  /** Of a kind nobody here knows, or for consumers only: it is kept and passed on to agents that speak this protocol. */
  | { type: "unknown"; message: UnifiedMessage }
  | { type: "invalid"; path: string; problem: string };

/** The answer to an ask. */
export interface UnifiedReply {
  /** As `request_id` of the `permission_request` has it. */
  ask: string;
  /** What it does, where no option is named. */
  reply?: "once" | "always" | "reject";
  option?: string;
  answers?: Record<string, string[]>;
  /** What the person says to it. */
  message?: string;
  /** The input of the tool as the person changed it. */
  input?: unknown;
}

const FROM_CONSUMERS: ReadonlySet<UnifiedMessageType> = new Set([
  "user_message",
  "permission_response",
  "interrupt",
  "configuration_change",
]);

/**
 * What the message wants. `message` has to be a valid one: `isUnifiedMessage`.
 *
 * @example
 * const message = createUnifiedMessage({ type: "interrupt", role: "user" });
 * readUnifiedRequest(message).type; // => "interrupt"
 */
export function readUnifiedRequest(message: UnifiedMessage): UnifiedRequest {
  if (!FROM_CONSUMERS.has(message.type)) return { type: "unknown", message };
  if (message.role !== "user") return invalid("role", `must be "user" for a ${message.type}`);
  switch (message.type) {
    case "user_message":
      return readPrompt(message);
    case "permission_response":
      return readReply(message);
    case "interrupt":
      return { type: "interrupt" };
    default:
      return readConfiguration(message);
  }
}

function invalid(path: string, problem: string): UnifiedRequest {
  return { type: "invalid", path, problem };
}

function readPrompt(message: UnifiedMessage): UnifiedRequest {
  const { id, metadata } = message;
  const parts = promptParts(message);
  if ("problem" in parts) return invalid(parts.path, parts.problem);
  if (parts.parts.length === 0) return invalid("content", "must have a block with text, code or an image");
  const { when_busy: whenBusy, settings } = metadata;
  if (whenBusy !== undefined && whenBusy !== "queue" && whenBusy !== "steer" && whenBusy !== "reject")
    return invalid("metadata.when_busy", "must be queue, steer or reject");
  const values = settings === undefined ? undefined : settingValuesSchema.safeParse(settings);
  if (values && !values.success) return invalid("metadata.settings", "must have texts and booleans by id");
  return {
    type: "prompt",
    message: messageIdSchema.safeParse(id).success ? id : unifiedId("", id),
    parts: parts.parts,
    ...(whenBusy && { whenBusy }),
    ...(values && { settings: values.data }),
  };
}

function readReply({ metadata, content }: UnifiedMessage): UnifiedRequest {
  const { request_id: ask, behavior, option, answers, message, updatedInput } = metadata;
  if (typeof ask !== "string" || ask === "")
    return invalid("metadata.request_id", "must be the request_id of a permission_request");
  if (option !== undefined && typeof option !== "string")
    return invalid("metadata.option", "must be the id of an option of the request");
  if (answers !== undefined && !isAnswers(answers))
    return invalid("metadata.answers", "must have a list of texts for each id of a question");
  if (message !== undefined && typeof message !== "string")
    return invalid("metadata.message", "must be a text");
  if (updatedInput !== undefined && !isRecord(updatedInput))
    return invalid("metadata.updatedInput", "must be an object: all that the tool is given");
  const reply = replyOf(behavior);
  if (behavior !== undefined && reply === undefined)
    return invalid("metadata.behavior", "must be allow, always or deny");
  if (reply === undefined && option === undefined && answers === undefined)
    return invalid("metadata.behavior", "is missing: it must be allow or deny");
  const said =
    message ?? (content.map((block) => (block.type === "text" ? block.text : "")).join("") || undefined);
  return {
    type: "reply",
    ask,
    // A refusal stays one, whatever else was filled in.
    ...(reply === "reject"
      ? { reply, ...(option !== undefined && { option }) }
      : {
          ...(answers !== undefined
            ? { answers }
            : option !== undefined
              ? { option }
              : reply !== undefined && { reply }),
        }),
    ...(said !== undefined && { message: said }),
    ...(updatedInput !== undefined && reply !== "reject" && { input: updatedInput }),
  };
}

function replyOf(behavior: unknown): UnifiedReply["reply"] {
  if (behavior === "allow") return "once";
  if (behavior === "always" || behavior === "allow_always") return "always";
  return behavior === "deny" ? "reject" : undefined;
}

function isAnswers(value: unknown): value is Record<string, string[]> {
  if (!isRecord(value)) return false;
  return Object.values(value).every(
    (given) => Array.isArray(given) && given.every((each) => typeof each === "string"),
  );
}

function readConfiguration({ metadata }: UnifiedMessage): UnifiedRequest {
  const { model, mode, settings } = metadata;
  const permissionMode = metadata.permissionMode ?? metadata.permission_mode;
  for (const [name, value] of Object.entries({ model, mode, permissionMode }))
    if (value !== undefined && (typeof value !== "string" || value === ""))
      return invalid(`metadata.${name}`, "must be a text");
  const values = settings === undefined ? undefined : settingValuesSchema.safeParse(settings);
  if (values && !values.success) return invalid("metadata.settings", "must have texts and booleans by id");
  const change = { model, mode, permissionMode, settings: values?.data };
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    return invalid("metadata", "must have model, mode, permissionMode or settings to change");
  return { type: "configure", ...Object.fromEntries(given) };
}
