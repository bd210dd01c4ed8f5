/**
 * Claude Code's stream-json protocol as types: as much of each line as is read here. A field that only some versions
 * send is optional. A line that is shaped otherwise is reported as unknown, so these types may trust it.
 */

export interface WireUsage {
  input_tokens?: number | null;
  output_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number } | null;
}

export interface WireToolUse {
  /** `tool_use`, or one that the model's own server runs: `server_tool_use`, `mcp_tool_use`. */
  type: string;
  id: string;
  name: string;
  input: unknown;
}

export interface WireToolResult {
  type: string;
  tool_use_id: string;
  content?: string | readonly WireBlock[];
  is_error?: boolean;
}

export interface WireImage {
  type: "image";
  source: { type: string; media_type?: string; data?: string; url?: string };
}

export type WireBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string }
  | WireImage
  | WireToolUse
  | WireToolResult
  | { type: string };

export type WireDelta =
  | { type: "text_delta"; text: string }
  | { type: "thinking_delta"; thinking: string }
  | { type: "input_json_delta"; partial_json: string };

export type WireStreamEvent =
  | { type: "message_start"; message: { id?: string; model: string; usage?: WireUsage } }
  | { type: "content_block_start"; index: number; content_block: WireBlock }
  | { type: "content_block_delta"; index: number; delta: WireDelta }
  | { type: "content_block_stop"; index: number }
  | { type: "message_delta"; delta: { stop_reason?: string | null }; usage?: WireUsage }
  | { type: "message_stop" };

export interface StreamEventLine {
  type: "stream_event";
  event: WireStreamEvent;
  parent_tool_use_id?: string | null;
  uuid?: string;
  /** The blocks of a message that was cut off and will be asked for again. */
  abandoned_blocks?: { from_block_index: number };
}

export interface AssistantLine {
  type: "assistant";
  message: {
    /** The model's id of the message, which several lines can share. Messages that programs store may be without. */
    id?: string;
    model?: string;
    /** A text where a program has written the message itself. */
    content: string | readonly WireBlock[];
    stop_reason?: string | null;
    usage?: WireUsage;
  };
  parent_tool_use_id?: string | null;
  uuid?: string;
  /** Set when it is no message of the model but the report of a failure. */
  error?: string;
  tool_use_meta?: readonly { id: string; display_name?: string; server_display_name?: string }[];
}

export interface UserLine {
  type: "user";
  message: { content: string | readonly WireBlock[] };
  uuid?: string;
  parent_tool_use_id?: string | null;
  isReplay?: boolean;
  isSynthetic?: boolean;
  tool_use_result?: unknown;
  tool_result_meta?: readonly { id: string; non_execution_kind?: string }[];
}

export interface ResultLine {
  type: "result";
  subtype: string;
  is_error: boolean;
  result?: string;
  errors?: readonly string[];
  stop_reason?: string | null;
  terminal_reason?: string;
  api_error_status?: number | null;
  total_cost_usd?: number;
  /** Of this turn, without sub-agents. */
  usage?: WireUsage;
  /** Totals of the process, with sub-agents. Some programs that pass results on leave them out. */
  modelUsage?: Readonly<Record<string, WireModelUsage>>;
  /** What was used since the result before; only newer versions tell. */
  model_usage_since_last_result?: Readonly<Record<string, WireModelUsage>>;
  /** Who asked for the turn, when it was not a person. */
  origin?: { kind: string };
  user_message_uuids?: readonly string[];
}

interface WireModelUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  costUSD?: number;
  contextWindow?: number;
}

export interface WireCommand {
  name: string;
  description?: string;
  argumentHint?: string;
}

export interface InitLine {
  type: "system";
  subtype: "init";
  session_id: string;
  model: string;
  permissionMode?: string;
  tools?: readonly string[];
  slash_commands?: readonly string[];
  claude_code_version?: string;
}

export interface WireTask {
  task_id: string;
  tool_use_id?: string;
  description?: string;
  task_type?: string;
  is_backgrounded?: boolean;
}

export interface WireTaskUsage {
  total_tokens?: number;
  tool_uses?: number;
  duration_ms?: number;
}

export interface CommandLifecycleLine {
  type: "command_lifecycle";
  command_uuid: string;
  state: string;
}

export type PermissionSuggestion =
  | {
      type: "addRules";
      rules: readonly { toolName: string; ruleContent?: string }[];
      behavior: string;
      destination: string;
    }
  | { type: "addDirectories"; directories: readonly string[]; destination: string }
  | { type: "setMode"; mode: string; destination: string };

export interface WireQuestion {
  question: string;
  header?: string;
  multiSelect?: boolean;
  options?: readonly { label: string; description?: string }[];
}

export interface CanUseTool {
  subtype: "can_use_tool";
  tool_name: string;
  input: Readonly<Record<string, unknown>>;
  tool_use_id: string;
  display_name?: string;
  description?: string;
  permission_suggestions?: readonly PermissionSuggestion[];
  blocked_path?: string;
  decision_reason?: string;
  /** The sub-agent that wants it. */
  agent_id?: string;
  /** No rule may be offered for it. */
  suppress_always_allow_rule?: boolean;
}

export interface ElicitationField {
  type?: string;
  title?: string;
  description?: string;
  enum?: readonly string[];
  enumNames?: readonly string[];
  oneOf?: readonly { const: string; title?: string }[];
  items?: { enum?: readonly string[]; anyOf?: readonly { const: string; title?: string }[] };
  default?: unknown;
}

export interface Elicitation {
  subtype: "elicitation";
  mcp_server_name: string;
  message: string;
  mode?: string;
  url?: string;
  requested_schema?: {
    properties?: Readonly<Record<string, ElicitationField>>;
    required?: readonly string[];
  };
  property_order?: readonly string[];
}

/** What Claude Code may ask us that a person can answer. */
export type WireAsk = CanUseTool | Elicitation;

export interface ControlRequestLine {
  type: "control_request";
  request_id: string;
  request: WireAsk | { subtype: string };
}

export interface WireModel {
  value: string;
  /** Where the value is a name for whatever is newest. */
  resolvedModel?: string;
  displayName?: string;
  description?: string;
  supportedEffortLevels?: readonly string[];
}

/** The answer to `get_settings`: what is in force. */
export interface SettingsResult {
  applied?: { model?: string; effort?: string | null };
}

export interface InitializeResult {
  commands?: readonly WireCommand[];
  models?: readonly WireModel[];
  claude_code_version?: string;
  current_permission_mode?: string;
  /** A provider other than its maker's has its own ways to sign in, and none of the other two. */
  account?: { apiProvider?: string; tokenSource?: string; apiKeySource?: string };
}

export type ControlResponse =
  | { subtype: "success"; request_id: string; response?: unknown }
  | { subtype: "error"; request_id: string; error: string };

export interface ControlResponseLine {
  type: "control_response";
  response: ControlResponse;
}

export type OwnRequest =
  | { subtype: "initialize"; forwardSubagentText?: boolean }
  | { subtype: "mcp_set_servers"; servers: Readonly<Record<string, unknown>> }
  /** `interlingua` is ignored by Claude Code: nobody asked to stop, the process is about to be ended. */
  | { subtype: "interrupt"; interlingua?: "leaving" }
  | { subtype: "cancel_async_message"; message_uuid: string }
  | { subtype: "stop_task"; task_id: string }
  | { subtype: "set_model"; model?: string }
  | { subtype: "set_permission_mode"; mode: string }
  | { subtype: "apply_flag_settings"; settings: { effortLevel: string } }
  | { subtype: "get_settings" };

export type PermissionResult =
  | { behavior: "allow"; updatedInput: unknown; updatedPermissions?: readonly PermissionSuggestion[] }
  | { behavior: "deny"; message: string; interrupt?: boolean };

export interface ElicitationResult {
  action: "accept" | "decline" | "cancel";
  content?: Readonly<Record<string, unknown>>;
}

/** What a part of a prompt was before all text came to the end: so many characters of it, a mention, or a file. */
export type PartLayout =
  | { text: number }
  | { mention: string; mediaType: string; filename?: string }
  | { file: true; filename?: string };

/** Ours: Claude Code ignores it. It keeps what has to be known of the line later. */
export type PromptNote =
  | { message: string; steer: boolean; parts?: readonly PartLayout[] }
  /** Not a prompt: words a person said with their answer to this ask. */
  | { withAnswer: string };

/** A prompt as we write it. */
export interface PromptLine {
  type: "user";
  message: { role: "user"; content: string | readonly unknown[] };
  parent_tool_use_id: null;
  session_id: "";
  uuid?: string;
  interlingua?: PromptNote;
}
