/** Our permission modes as Codex's policy and profile. */
import { permissionModeSchema } from "../../../core/capability.ts";
import { InterlinguaError } from "../../../core/error.ts";
import { type NativePermissions, PERMISSIONS } from "../manifest.ts";
import { optionsSchema } from "../options.ts";
import type { WireProfile } from "../wire.ts";

const POLICIES = optionsSchema.shape.approvalPolicy;

/** What of Codex's settings a mode decides. A policy of Codex's own, as a session may report it, is one too. */
export function nativePermissions(name: string | undefined): Partial<NativePermissions> {
  if (name === undefined) return {};
  const known = permissionModeSchema.safeParse(name);
  if (known.success) return PERMISSIONS[known.data];
  const policy = POLICIES.safeParse(name);
  if (policy.success) return { approvalPolicy: policy.data };
  const names = Object.keys(PERMISSIONS).join(", ");
  throw new InterlinguaError("unsupported", `Codex has no permission mode "${name}"; use one of ${names}.`);
}

const PROFILES: Readonly<Record<string, WireProfile>> = {
  "read-only": ":read-only",
  readOnly: ":read-only",
  "workspace-write": ":workspace",
  workspaceWrite: ":workspace",
  "danger-full-access": ":danger-full-access",
  dangerFullAccess: ":danger-full-access",
};

/** The profile of a sandbox, by either of the names Codex has for it. */
export function profileOf(sandbox: string | boolean | undefined): WireProfile | undefined {
  if (sandbox === undefined) return undefined;
  const profile = PROFILES[String(sandbox)];
  if (profile) return profile;
  throw new InterlinguaError(
    "unsupported",
    `Codex has no sandbox "${sandbox}"; use read-only, workspace-write or danger-full-access.`,
  );
}
