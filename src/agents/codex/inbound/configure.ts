/** A change of model, mode and settings in Codex's words. It holds from the next turn on. */
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";
import { nativeMode, toCollaborationMode } from "./opening.ts";
import { nativePermissions, profileOf } from "./permissions.ts";

const SETTINGS = ["effort", "sandbox"];

export function configureCall(state: CodexState, command: CommandOf<"configure">): RpcCall {
  const { model, permissionMode, settings = {} } = command;
  const strange = Object.keys(settings).find((name) => !SETTINGS.includes(name));
  if (strange !== undefined) {
    throw new InterlinguaError(
      "unsupported",
      `Codex has no setting "${strange}"; use ${SETTINGS.join(" or ")}.`,
    );
  }
  const native = nativePermissions(permissionMode);
  const mode = command.mode === undefined ? native.mode : nativeMode(command.mode);
  const permissions = profileOf(settings.sandbox) ?? native.profile;
  return {
    method: "thread/settings/update",
    params: {
      threadId: state.thread,
      ...(model !== undefined && { model }),
      ...(settings.effort !== undefined && { effort: settings.effort }),
      ...(native.approvalPolicy !== undefined && { approvalPolicy: native.approvalPolicy }),
      ...(permissions !== undefined && { permissions }),
      ...(mode !== undefined && { collaborationMode: toCollaborationMode(state, mode, model) }),
    },
  };
}
