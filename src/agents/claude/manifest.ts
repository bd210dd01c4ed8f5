/** What Claude Code is and can do, in our words and in its own. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { BackendCapabilities, PermissionMode } from "../../core/capability.ts";
import { SHARED_MODES, settleModes } from "../transport/shared-modes.ts";

export const NAME = "claude";

/** Our permission modes in Claude Code's words. It has more of its own, which are shown as it calls them. */
export const PERMISSIONS: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  acceptEdits: "acceptEdits",
  bypass: "bypassPermissions",
};

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  steer: true,
  reportsSteering: true,
  fork: true,
  resume: true,
  rewind: true,
  images: true,
  stopTasks: true,
  setModel: true,
  modes: Object.keys(SHARED_MODES),
  moreModes: false,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "local",
};

export function fromNativeMode(native: string): string {
  return Object.entries(PERMISSIONS).find(([, word]) => word === native)?.[0] ?? native;
}

/** See `settleModes`. */
export function settle(wanted: AgentSettings): AgentSettings {
  return settleModes("Claude Code", wanted);
}
