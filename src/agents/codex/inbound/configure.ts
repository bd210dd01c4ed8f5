/** A change of model, mode and settings in Codex's words. It holds from the next turn on. */
import type { CommandOf } from "../../../core/command.ts";
import { assertOffered } from "../../../core/offered-settings.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";
import { DEFAULT_EFFORT, settingsOf } from "../thread-settings.ts";
import { nativeMode, toCollaborationMode } from "./opening.ts";
import { nativePermissions, profileOf } from "./permissions.ts";

export function configureCall(state: CodexState, command: CommandOf<"configure">): RpcCall {
  const { model, permissionMode, settings = {} } = command;
  const wanted = { ...state.settings, ...(model !== undefined && { model }) };
  assertOffered("Codex", settingsOf(wanted, state.models), settings);
  const effort = settings.effort as string | undefined;
  const native = nativePermissions(permissionMode);
  // Only with a mode can the choice of an effort be taken back.
  const present = effort === DEFAULT_EFFORT ? (state.mode ?? "default") : undefined;
  const mode = command.mode === undefined ? (native.mode ?? present) : nativeMode(command.mode);
  const permissions = profileOf(settings.sandbox) ?? native.profile;
  return {
    method: "thread/settings/update",
    params: {
      threadId: state.thread,
      model,
      effort: mode === undefined ? effort : undefined,
      approvalPolicy: native.approvalPolicy,
      permissions,
      collaborationMode: mode && toCollaborationMode(state, mode, model, nativeEffort(effort)),
    },
  };
}

function nativeEffort(effort: string | undefined): string | null | undefined {
  return effort === DEFAULT_EFFORT ? null : effort;
}
