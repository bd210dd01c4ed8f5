/** What Codex is and can do, in our words and in its own. */
import type { BackendCapabilities, PermissionMode } from "../../core/capability.ts";
import type { WireApprovalPolicy, WireProfile, WireSandbox } from "./wire.ts";

export const NAME = "codex";

/** Who we are to Codex: it goes into the user agent of its requests. */
export const CLIENT_NAME = "interlingua";

/** Its own keys and settings. Keys for the model of a provider of the user's are named by the config: `env.pass`. */
export const ENVIRONMENT_KEYS = ["CODEX_*", "OPENAI_*"];

/** Where a key may be found, the more special first. */
export const API_KEYS = ["CODEX_API_KEY", "OPENAI_API_KEY"];

/** How Codex works: our modes as its collaboration modes. */
export const MODES: Readonly<Record<string, string>> = { build: "default", plan: "plan" };

/** Our name of one of its modes. */
export function fromNativeMode(native: string): string {
  return Object.entries(MODES).find(([, word]) => word === native)?.[0] ?? native;
}

export interface NativePermissions {
  readonly approvalPolicy: WireApprovalPolicy;
  readonly profile: WireProfile;
  readonly sandbox: WireSandbox["type"];
  readonly mode: string;
}

/**
 * Our permission modes in Codex's words. `default` reads and asks before anything else; `acceptEdits` changes files
 * below the working directory without asking; `bypass` asks nothing and has no sandbox.
 */
export const PERMISSIONS: Readonly<Record<PermissionMode, NativePermissions>> = {
  default: { approvalPolicy: "on-request", profile: ":read-only", sandbox: "readOnly", mode: "default" },
  plan: { approvalPolicy: "on-request", profile: ":read-only", sandbox: "readOnly", mode: "plan" },
  acceptEdits: {
    approvalPolicy: "on-request",
    profile: ":workspace",
    sandbox: "workspaceWrite",
    mode: "default",
  },
  bypass: {
    approvalPolicy: "never",
    profile: ":danger-full-access",
    sandbox: "dangerFullAccess",
    mode: "default",
  },
};

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: false,
  steer: true,
  reportsSteering: true,
  fork: true,
  resume: true,
  rewind: true,
  images: true,
  stopTasks: true,
  setModel: true,
  modes: Object.keys(MODES),
  moreModes: false,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "local",
};
