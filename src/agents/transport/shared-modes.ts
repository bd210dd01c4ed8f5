/** The modes that all agents share, for agents where they are permission modes. */
import type { AgentSettings } from "../../core/adapter.ts";
import type { PermissionMode } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";

export const SHARED_MODES: Readonly<Record<string, PermissionMode>> = { build: "default", plan: "plan" };

/** What a permission mode says, in both of our words for it. */
export function inMode(permissionMode: string | undefined): { mode?: string; permissionMode?: string } {
  return permissionMode === undefined ? {} : { mode: modeOf(permissionMode), permissionMode };
}

function modeOf(permissionMode: string): string {
  return permissionMode === SHARED_MODES.plan ? "plan" : "build";
}

/** A mode decides the permission mode where none is given, and the other way round. Throws `unsupported` for a contradiction. */
export function settleModes(agent: string, wanted: AgentSettings): AgentSettings {
  const { mode, permissionMode = mode === undefined ? undefined : SHARED_MODES[mode] } = wanted;
  if (permissionMode === undefined) return wanted;
  if (mode === undefined || mode === modeOf(permissionMode)) return { ...wanted, ...inMode(permissionMode) };
  throw new InterlinguaError(
    "unsupported",
    `${agent} cannot be in mode "${mode}" with the permission mode "${permissionMode}": leave out one of them.`,
  );
}
