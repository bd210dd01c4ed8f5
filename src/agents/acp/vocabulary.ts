/** Which fields of an agent's updates are used. What else it sends is counted by name, so that it is noticed. */
import { isRecord } from "../../core/is-record.ts";
import { AUTH_STATUS, isChatter, isExtension } from "./quirks.ts";
import { type JsonObject, objectOf } from "./untyped.ts";
import { AGENT_METHOD } from "./wire.ts";

const CHUNK = ["content", "messageId", "_meta"];
const TOOL_CALL = [
  "toolCallId",
  "name",
  "title",
  "kind",
  "status",
  "content",
  "locations",
  "rawInput",
  "rawOutput",
  "_meta",
];

const USED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    agent_message_chunk: CHUNK,
    agent_thought_chunk: CHUNK,
    user_message_chunk: CHUNK,
    tool_call: TOOL_CALL,
    tool_call_update: TOOL_CALL,
    plan: ["entries"],
    plan_update: ["plan"],
    plan_removed: ["planId"],
    available_commands_update: ["availableCommands"],
    current_mode_update: ["currentModeId"],
    config_option_update: ["configOptions"],
    // When a session last changed, our own log knows better.
    session_info_update: ["title", "updatedAt", "_meta"],
    usage_update: ["used", "size", "cost", "_meta"],
    notice: ["severity", "title", "description"],
    compaction_update: ["compactionId", "status", "summary", "error"],
    compaction_summary_chunk: ["compactionId", "content"],
  }).map(([type, fields]) => [type, new Set(["sessionUpdate", ...fields])]),
);

/** What is used of the places where agents put what the protocol has no field for. */
const USED_META = new Set([
  "claudeCode",
  "toolName",
  "x.ai/tool",
  "terminal_info",
  "terminal_output",
  "terminal_output_delta",
  "terminal_exit",
  "usage",
  "codex",
  "piAcp",
  "_claude/model",
  "goose",
  "toolNotification",
]);

/** Undefined when all was used. An update that is not known at all stands in the log as such. */
export function unreadOf(method: string, params: JsonObject): readonly string[] | undefined {
  if (AUTH_STATUS.has(method)) return undefined;
  if (method !== AGENT_METHOD.update) return isChatter(method) || isExtension(method) ? [method] : undefined;
  const update = objectOf(params.update);
  const type = String(update.sessionUpdate);
  const used = USED.get(type);
  if (used === undefined) return undefined;
  let unread: string[] | undefined;
  for (const field in update) {
    if (!used.has(field)) {
      unread ??= [];
      unread.push(`${type}.${field}`);
    }
  }
  const { _meta: meta } = update;
  if (!isRecord(meta) || !used.has("_meta")) return unread;
  for (const field in meta) {
    if (!USED_META.has(field)) {
      unread ??= [];
      unread.push(`${type}._meta.${field}`);
    }
  }
  return unread;
}
