/**
 * The words of Claude Code's protocol this translator uses, by kind of line. What is not here is counted as unread: so
 * it shows when a new version says more than we listen to.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Every line has them, and they mean nothing to us. */
const ENVELOPE = ["type", "subtype", "uuid", "session_id", "timestamp"];

const TASK = ["task_id", "tool_use_id", "description", "usage"];

/** The fields that are used, or whose meaning is told by another line. */
const USED: Readonly<Record<string, readonly string[]>> = {
  stream_event: ["event", "parent_tool_use_id", "api_message_id", "abandoned_blocks"],
  assistant: ["message", "parent_tool_use_id", "error", "tool_use_meta"],
  user: ["message", "parent_tool_use_id", "isReplay", "isSynthetic", "tool_use_result", "tool_result_meta"],
  result: [
    "is_error",
    "result",
    "errors",
    "stop_reason",
    "terminal_reason",
    "api_error_status",
    "model_usage_since_last_result",
    "total_cost_usd",
    "usage",
    "modelUsage",
    "origin",
    "user_message_uuids",
  ],
  command_lifecycle: ["command_uuid", "state"],
  control_request: ["request_id", "request"],
  control_response: ["response"],
  control_cancel_request: ["request_id"],
  conversation_reset: [],
  keep_alive: [],
  tool_progress: ["tool_use_id", "elapsed_time_seconds", "parent_tool_use_id", "heartbeat"],
  tool_use_summary: ["summary", "preceding_tool_use_ids"],
  rate_limit_event: ["rate_limit_info"],
  auth_status: ["isAuthenticating", "output", "error"],
  "system/init": ["model", "permissionMode", "tools", "slash_commands", "claude_code_version"],
  "system/status": ["status", "permissionMode", "compact_result", "compact_error"],
  "system/api_retry": ["attempt", "max_retries", "retry_delay_ms", "error_status", "error"],
  "system/task_started": [...TASK, "task_type", "is_backgrounded"],
  "system/task_updated": [...TASK, "patch"],
  "system/task_progress": [...TASK, "last_tool_name"],
  "system/task_notification": [...TASK, "status", "summary", "output_file"],
  "system/compact_boundary": ["compact_metadata"],
  "system/permission_denied": ["tool_use_id", "message"],
  "system/session_title_changed": ["title"],
  "system/commands_changed": ["commands"],
  "system/informational": ["content", "level"],
  "system/notification": ["text", "level"],
  "system/local_command_output": ["content"],
  "system/hook_response": ["hook_name", "outcome", "stderr", "output"],
  "system/plugin_install": ["name", "status", "error"],
  "system/mirror_error": ["error"],
  "system/session_writes_lost": ["error_code"],
  "system/model_refusal_fallback": ["content", "original_model", "fallback_model"],
};

const WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(USED).map(([name, fields]) => [name, new Set([...ENVELOPE, ...fields])]),
);

/** What a kind of line is called in counters and in `agent.unknown`. */
export function nativeName({ type, subtype }: Fields): string {
  if (typeof type !== "string") return "not-a-message";
  return type === "system" ? `system/${String(subtype)}` : type;
}

/** The fields of a line that nobody used: `result.ttft_ms`. A kind that says nothing to us is unread as a whole. */
export function unreadFields(message: Fields): readonly string[] | undefined {
  const { type, event } = message;
  // There are so many, and all have what other events of a stream have.
  if (type === "stream_event" && (event as Fields | undefined)?.type === "content_block_delta")
    return undefined;
  const name = nativeName(message);
  const words = WORDS.get(name);
  if (!words) return [name];
  let unread: string[] | undefined;
  for (const field in message) {
    if (words.has(field)) continue;
    unread ??= [];
    unread.push(`${name}.${field}`);
  }
  return unread;
}
