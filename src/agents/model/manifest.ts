/** What the model agent is and can do, in our words and in its own. */
import type { BackendCapabilities, PermissionMode } from "../../core/capability.ts";
import type { OfferedSetting } from "../../core/offered-settings.ts";
import { SHARED_MODES } from "../transport/shared-modes.ts";
import type { WireEffort, WirePermissions } from "./wire.ts";

/** The agent itself, or one that is named after a provider and uses no other. */
export interface ModelAgent {
  readonly name: string;
  readonly title: string;
  readonly provider?: string;
}

export const MODEL_AGENT: ModelAgent = { name: "model", title: "The model agent" };

export const MODEL_AGENTS: readonly ModelAgent[] = [
  MODEL_AGENT,
  { name: "openai", title: "OpenAI", provider: "openai" },
  { name: "anthropic-api", title: "The Anthropic API", provider: "anthropic" },
];

export const VERSION = "1.0.0";

export const COMMANDS = [{ name: "compact", description: "Summarize the conversation so far." }];

/** With a compile cache for Node it starts in a fraction of the time. */
export const OWN_VARIABLES = ["NODE_COMPILE_CACHE"];

export const PERMISSIONS: Readonly<Record<PermissionMode, WirePermissions>> = {
  default: "default",
  plan: "plan",
  acceptEdits: "acceptEdits",
  bypass: "bypass",
};

export const EFFORTS: { id: WireEffort; name: string; description: string }[] = [
  { id: "default", name: "Default", description: "As much as the provider finds right." },
  { id: "none", name: "None", description: "It answers without thinking first, where the model can." },
  { id: "low", name: "Low", description: "It thinks a little." },
  { id: "medium", name: "Medium", description: "It thinks." },
  { id: "high", name: "High", description: "It thinks for long." },
];

/** Its settings besides model and modes. */
export const SETTINGS: readonly OfferedSetting[] = [{ id: "effort", choices: EFFORTS }];

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  steer: true,
  reportsSteering: true,
  fork: false,
  // It keeps no conversation: each process is given the history.
  resume: false,
  rewind: true,
  images: true,
  setModel: true,
  modes: Object.keys(SHARED_MODES),
  moreModes: false,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "both",
};
