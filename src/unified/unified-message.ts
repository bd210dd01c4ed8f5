/**
 * The envelope of the UnifiedMessage protocol: its types, roles and content blocks. Names and fields are those of the
 * guide for backend adapters by which others write consumers and adapters. What each metadata key means is in
 * docs/reference/unified-messages.md.
 */

/** Every type a message can have: those of the guide, and `session_lifecycle`. */
export const UNIFIED_MESSAGE_TYPES = [
  "session_init",
  "status_change",
  "assistant",
  "result",
  "stream_event",
  "permission_request",
  "control_response",
  "tool_progress",
  "tool_use_summary",
  "auth_status",
  "user_message",
  "permission_response",
  "interrupt",
  "configuration_change",
  "session_lifecycle",
  "unknown",
] as const;

/** What a message is about. */
export type UnifiedMessageType = (typeof UNIFIED_MESSAGE_TYPES)[number];

export const UNIFIED_ROLES = ["user", "assistant", "system", "tool"] as const;

/** Who speaks. */
export type UnifiedRole = (typeof UNIFIED_ROLES)[number];

/**
 * The role that the guide gives each type. `unknown` has that of its sender, so it is not here.
 *
 * @example
 * MESSAGE_ROLES.tool_progress; // => "tool"
 */
export const MESSAGE_ROLES = {
  session_init: "system",
  status_change: "system",
  assistant: "assistant",
  result: "system",
  stream_event: "system",
  permission_request: "system",
  control_response: "system",
  tool_progress: "tool",
  tool_use_summary: "tool",
  auth_status: "system",
  user_message: "user",
  permission_response: "user",
  interrupt: "user",
  configuration_change: "user",
  session_lifecycle: "system",
} as const satisfies Readonly<Record<Exclude<UnifiedMessageType, "unknown">, UnifiedRole>>;

/** A block of content. */
export type UnifiedContent =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; budget_tokens?: number }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content: string; is_error?: boolean }
  | { type: "image"; source: { type: "base64"; media_type: string; data: string } }
  | { type: "code"; language: string; code: string }
  | { type: "refusal"; refusal: string };

/** The envelope. */
export interface UnifiedMessage {
  /** A UUID of version 4. */
  id: string;
  /** Milliseconds since the epoch. */
  timestamp: number;
  type: UnifiedMessageType;
  role: UnifiedRole;
  content: UnifiedContent[];
  /** What the message says besides content. */
  metadata: Record<string, unknown>;
  /** The message it belongs to or answers. */
  parentId?: string;
}

/** Why a turn failed, under one name for every agent: `error_code` in the metadata of a `result`. */
export type UnifiedErrorCode =
  | "provider_auth"
  | "api_error"
  | "context_overflow"
  | "output_length"
  | "aborted"
  | "rate_limit"
  | "max_turns"
  | "max_budget"
  | "execution_error"
  | "unknown";

/** What happened to a session or its history: `subtype` in the metadata of a `session_lifecycle`. */
export type UnifiedLifecycle =
  | "session_created"
  | "session_deleted"
  | "session_compacted"
  | "message_removed"
  | "message_part_removed";
