/** What Claude Code is and can do, in our words and in its own. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { BackendCapabilities, PermissionMode } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";

export const NAME = "claude";

/** Our permission modes in Claude Code's words. It has more of its own, which are shown as it calls them. */
export const PERMISSIONS: Readonly<Record<PermissionMode, string>> = {
  default: "default",
  plan: "plan",
  acceptEdits: "acceptEdits",
  bypass: "bypassPermissions",
};

/** The modes that all agents share are permission modes here. */
const MODES: Readonly<Record<string, PermissionMode>> = { build: "default", plan: "plan" };

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
  setModel: true,
  modes: Object.keys(MODES),
  moreModes: false,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "local",
};

export function fromNativeMode(native: string): string {
  return Object.entries(PERMISSIONS).find(([, word]) => word === native)?.[0] ?? native;
}

/** What a permission mode says, in both of our words for it. */
export function inMode(permissionMode: string | undefined): { mode?: string; permissionMode?: string } {
  return permissionMode === undefined ? {} : { mode: modeOf(permissionMode), permissionMode };
}

function modeOf(permissionMode: string): string {
  return permissionMode === MODES.plan ? "plan" : "build";
}

/** A mode decides the permission mode where none is given, and the other way round. Throws `unsupported` for a contradiction. */
export function settle(wanted: AgentSettings): AgentSettings {
  const { mode, permissionMode = mode === undefined ? undefined : MODES[mode] } = wanted;
  if (permissionMode === undefined) return wanted;
  if (mode === undefined || mode === modeOf(permissionMode)) return { ...wanted, ...inMode(permissionMode) };
  throw new InterlinguaError(
    "unsupported",
    `Claude Code cannot be in mode "${mode}" with the permission mode "${permissionMode}": leave out one of them.`,
  );
}
