/** Opens a session's thread: starts or resumes it, then sets its mode. */
import type { ConnectOptions } from "../../../core/adapter.ts";
import { InterlinguaError } from "../../../core/error.ts";
import { isWaitingFor } from "../../transport/json-rpc.ts";
import { type RpcCall, requestLines } from "../../transport/json-rpc-lines.ts";
import { requireResumeId } from "../../transport/resume-id.ts";
import type { OpeningStep } from "../../transport/translator.ts";
import type { CodexState } from "../conversation-state.ts";
import { MODES } from "../manifest.ts";
import type { CodexOptions } from "../options.ts";
import { MODEL_LIST, OPENING } from "../outbound/response.ts";
import { OPENING_NOTE } from "../request-notes.ts";
import type { WireCollaborationMode } from "../wire.ts";
import { nativePermissions, profileOf } from "./permissions.ts";

export interface SessionOptions {
  readonly connect: ConnectOptions;
  readonly options: CodexOptions;
  /** By their keys in its config. */
  readonly mcpServers: Readonly<Record<string, object>>;
}

/** `scope` marks the session's requests on the process it shares with others. */
export function openingStep(state: CodexState, session: SessionOptions, scope: string): OpeningStep {
  if (state.failure !== undefined) return { step: "failed", reason: state.failure };
  const calls = dueCalls(state, session);
  if (!calls) return { step: "wait" };
  return calls.length === 0
    ? { step: "ready" }
    : { step: "send", lines: requestLines(state.rpc, calls, scope) };
}

/** Undefined while Codex has to answer first. None when it is ready. */
function dueCalls(state: CodexState, session: SessionOptions): readonly RpcCall[] | undefined {
  if (state.thread === undefined) {
    const isAsked = OPENING.some((method) => isWaitingFor(state.rpc, method));
    return isAsked ? undefined : [openThread(session)];
  }
  // Its answer is not waited for: it is needed only when an effort is chosen.
  if (state.models === undefined) return [{ method: MODEL_LIST, params: {}, note: OPENING_NOTE }];
  const { mode, permissionMode } = session.connect;
  const wanted = mode === undefined ? nativePermissions(permissionMode).mode : nativeMode(mode);
  if (wanted === undefined || wanted === (state.mode ?? "default") || state.isConfigured) return [];
  if (isWaitingFor(state.rpc, "thread/settings/update")) return undefined;
  const collaborationMode = toCollaborationMode(state, wanted);
  const params = { threadId: state.thread, collaborationMode };
  return [{ method: "thread/settings/update", params, note: OPENING_NOTE }];
}

function openThread({ connect, options, mcpServers }: SessionOptions): RpcCall {
  const threadId = requireResumeId("Codex", connect);
  const { cwd, model, permissionMode } = connect;
  const native = nativePermissions(permissionMode);
  const { effort, modelProvider, developerInstructions } = options;
  const config = { ...options.config, ...(effort && { model_reasoning_effort: effort }), ...mcpServers };
  // Not `sandbox`: one that may write makes Codex note the directory as trusted in the user's config.
  const permissions = profileOf(options.sandbox) ?? native.profile;
  const approvalPolicy = options.approvalPolicy ?? native.approvalPolicy;
  const params = { cwd, model, modelProvider, approvalPolicy, permissions, developerInstructions, config };
  if (threadId === undefined) return { method: "thread/start", params };
  return { method: "thread/resume", params: { threadId, excludeTurns: true, ...params } };
}

/** The effort is what is in force unless another is wanted; null is the model's own. */
export function toCollaborationMode(
  state: CodexState,
  mode: string,
  model = state.model,
  effort = state.settings?.effort ?? null,
): WireCollaborationMode {
  return { mode, settings: { model: model ?? "", reasoning_effort: effort, developer_instructions: null } };
}

/** A log may also have the name Codex itself has for it. */
export function nativeMode(mode: string): string {
  if (Object.hasOwn(MODES, mode)) return MODES[mode]!;
  if (Object.values(MODES).includes(mode)) return mode;
  const names = Object.keys(MODES).join(", ");
  throw new InterlinguaError("unsupported", `Codex has no mode "${mode}"; use one of ${names}.`);
}
