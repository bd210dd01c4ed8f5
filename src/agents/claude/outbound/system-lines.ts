/** What Claude Code tells about itself: its state, its tasks, retries and other things worth a notice. */
import type { Draft } from "../../../core/draft.ts";
import { inMode } from "../../transport/shared-modes.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { fromNativeMode } from "../manifest.ts";
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
import { UNUSED_MESSAGES } from "./unused-messages.ts";

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
  readonly hook_name?: string;
  readonly outcome?: string;
  readonly stderr?: string;
  readonly output?: string;
  readonly name?: string;
  readonly error_code?: string;
  readonly original_model?: string;
  readonly fallback_model?: string;
}

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
    case "hook_response":
      return [state, hookNotice(line)];
    case "plugin_install":
    case "mirror_error":
    case "session_writes_lost":
      return [state, troubleNotice(line)];
    case "model_refusal_fallback":
      return [state, [{ type: "notice", level: "warning", code: "model", text: fallbackText(line) }]];
    default:
      return UNUSED_MESSAGES.has(`system/${line.subtype}`) ? [state, []] : undefined;
  }
}

/** At the start of every turn, not only of the process; only what has changed reaches the log. */
function readInit(state: ClaudeState, line: InitLine): Translation {
  const { session_id: conversation, model, claude_code_version: agentVersion } = line;
  const { wokenBy } = state;
  // Older versions, and messages that people wrote themselves, tell less.
  const { permissionMode: nativeMode = "default", tools, slash_commands: commands } = line;
  const permissionMode = fromNativeMode(nativeMode);
  const attached: Draft = {
    type: "session.attached",
    agentSessionId: conversation,
    agentVersion,
    model,
    ...inMode(permissionMode),
    ...(tools && { tools: [...tools] }),
    ...(commands && !state.hasCommands && { commands: commands.map((name) => ({ name })) }),
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
  return status
    ? `The model's service answered ${status}`
    : "The model could not be reached (network, proxy?)";
}

/** What a hook of the user's did is worth a word when it went wrong. */
function hookNotice({ hook_name: name, outcome, stderr, output }: SystemLine): readonly Draft[] {
  if (outcome !== "error") return [];
  const said = (stderr || output || "").trim();
  const text = `The hook ${name} failed${said && `: ${said}`}`;
  return [{ type: "notice", level: "warning", code: "hook", text }];
}

/** A plugin, or its own record of the conversation, without which it cannot take the conversation up again. */
function troubleNotice(line: SystemLine): readonly Draft[] {
  const { subtype, name, status, error, error_code: code } = line;
  if (subtype === "plugin_install" && status !== "failed") return [];
  const text =
    subtype === "plugin_install"
      ? `The plugin ${name ?? ""} could not be installed: ${error ?? "no reason was given"}`
      : `Claude Code could not write down the conversation: ${error ?? code ?? "no reason was given"}. It may not be able to take it up again.`;
  return [{ type: "notice", level: "warning", code: "agent", text }];
}

function fallbackText({ content, original_model: from, fallback_model: to }: SystemLine): string {
  return content ?? `Claude Code answers with ${to} in place of ${from}.`;
}

function levelOf({ level }: SystemLine): "info" | "warning" | "error" {
  return level === "warning" || level === "error" ? level : "info";
}

function noticeText({ content, text }: SystemLine): string {
  return content ?? text ?? "";
}
