/** What Claude Code tells about itself: its state, its tasks, retries and other things worth a notice. */
import type { Draft } from "../../../core/draft.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { fromNativeMode, inMode } from "../manifest.ts";
import type { InitLine, WireCommand, WireTask } from "../wire.ts";
import { afterBoundary } from "./compaction.ts";
import { toCommand, withPermissionMode } from "./control-responses.ts";
import { afterTurnBegan } from "./prompts.ts";
import {
  readTaskEnded,
  readTaskProgress,
  readTaskStarted,
  readTaskUpdated,
  type TaskEnd,
  type TaskProgress,
} from "./tasks.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

/** The fields of the smaller kinds; which of them are there depends on the subtype. */
export interface SystemLine {
  readonly type: "system";
  readonly subtype: string;
  readonly status?: string | null;
  readonly permissionMode?: string;
  readonly compact_result?: string;
  readonly compact_error?: string;
  readonly compact_metadata?: { pre_tokens?: number; post_tokens?: number };
  readonly attempt?: number;
  readonly max_retries?: number;
  readonly retry_delay_ms?: number;
  readonly error_status?: number | null;
  readonly error?: string;
  readonly tool_use_id?: string;
  readonly message?: string;
  readonly title?: string;
  readonly content?: string;
  readonly text?: string;
  readonly level?: string;
  readonly commands?: readonly WireCommand[];
}

/** What is told elsewhere, or only of use to a terminal. */
const SILENT: ReadonlySet<string> = new Set([
  "background_tasks_changed",
  "session_state_changed",
  "thinking_tokens",
  "control_request_progress",
  "model_refusal_no_fallback",
]);

/** A conversation that goes on under another id is a new one. */
const CLEARED: Draft = {
  type: "notice",
  level: "info",
  code: "cleared",
  text: "The agent forgot the conversation so far.",
};

/** Undefined for a kind we do not know. */
export function readSystem(state: ClaudeState, line: SystemLine): Translation | undefined {
  switch (line.subtype) {
    case "init":
      return readInit(state, line as unknown as InitLine);
    case "status":
      return readStatus(state, line);
    case "api_retry":
      return [state, [retryNotice(line)]];
    case "task_started":
      return readTaskStarted(state, line as unknown as WireTask);
    case "task_updated":
      return readTaskUpdated(state, line as unknown as Parameters<typeof readTaskUpdated>[1]);
    case "task_progress":
      return [state, readTaskProgress(state, line as unknown as TaskProgress)];
    case "task_notification":
      return readTaskEnded(state, line as unknown as TaskEnd);
    case "compact_boundary":
      return [afterBoundary(state, line.compact_metadata), []];
    case "permission_denied":
      if (line.tool_use_id === undefined) return undefined;
      return [state, [{ type: "tool.denied", call: line.tool_use_id, reason: line.message }]];
    case "session_title_changed":
      return [state, [{ type: "session.updated", title: line.title }]];
    case "commands_changed":
      return [state, [{ type: "session.updated", commands: line.commands?.map(toCommand) }]];
    case "informational":
    case "notification":
    case "local_command_output":
      return [state, [{ type: "notice", level: levelOf(line), code: line.subtype, text: noticeText(line) }]];
    default:
      return SILENT.has(line.subtype) ? [state, []] : undefined;
  }
}

/** At the start of every turn, not only of the process; only what has changed reaches the log. */
function readInit(state: ClaudeState, line: InitLine): Translation {
  const { session_id: conversation, model, claude_code_version: agentVersion } = line;
  const { wokenBy } = state;
  const permissionMode = fromNativeMode(line.permissionMode);
  const attached: Draft = {
    type: "session.attached",
    agentSessionId: conversation,
    ...(agentVersion !== undefined && { agentVersion }),
    model,
    ...inMode(permissionMode),
    tools: [...line.tools],
    ...(!state.hasCommands && { commands: line.slash_commands.map((name) => ({ name })) }),
  };
  const isCleared = state.conversation !== undefined && state.conversation !== conversation;
  return [
    {
      ...afterTurnBegan(state),
      ...{ model, permissionMode, conversation },
      wokenBy: undefined,
      isTurnOpen: state.isTurnOpen || wokenBy !== undefined,
    },
    [
      attached,
      ...(isCleared ? [CLEARED] : []),
      ...(wokenBy ? [{ type: "turn.started" as const, cause: "task", ...wokenBy }] : []),
    ],
  ];
}

function readStatus(state: ClaudeState, line: SystemLine): Translation {
  const { status, permissionMode: mode, compact_result: result, compact_error: error } = line;
  const [next, drafts] = mode === undefined ? [state, []] : withPermissionMode(state, mode);
  if (status === "compacting") return [next, [...drafts, { type: "compaction.started" }]];
  if (result === undefined || result === "success") return [next, drafts];
  const reason = error ?? "The conversation could not be compacted.";
  return [next, [...drafts, { type: "compaction.ended", error: reason }]];
}

function retryNotice(line: SystemLine): Draft {
  const { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs, error_status: status, error } = line;
  return {
    type: "notice",
    level: "warning",
    code: "retry",
    text: `${retryReason(status)}; attempt ${attempt} of ${maxAttempts} follows.`,
    data: { attempt, maxAttempts, delayMs, ...(status && { status }), error },
  };
}

function retryReason(status: number | null | undefined): string {
  if (status === 401 || status === 403) return "The model's service refused the sign-in";
  if (status === 429) return "The rate limit was reached";
  if (status === 529) return "The model is overloaded";
  return status ? `The model's service answered ${status}` : "The model could not be reached";
}

function levelOf({ level }: SystemLine): "info" | "warning" | "error" {
  return level === "warning" || level === "error" ? level : "info";
}

function noticeText({ content, text }: SystemLine): string {
  return content ?? text ?? "";
}
