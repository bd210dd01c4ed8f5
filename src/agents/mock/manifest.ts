/** What the mock is and can do, in our words and in its own. */
import type { BackendCapabilities, PermissionMode } from "../../core/capability.ts";
import type { WirePermissions } from "./wire.ts";

export const NAME = "mock";
export const TITLE = "The mock";
export const VERSION = "1.0.0";

export const MODELS = [
  { id: "mock-large", name: "Mock Large", description: "Thinks before it speaks. Made of if statements." },
  { id: "mock-small", name: "Mock Small", description: "The same, at a tenth of the price." },
];

export const MODES = [
  { id: "build", name: "Build", description: "Reads and changes files." },
  { id: "plan", name: "Plan", description: "Proposes a plan and waits for a yes before it changes a file." },
];

export const EFFORTS = [
  { id: "low", name: "Low", description: "Answers at once." },
  { id: "medium", name: "Medium", description: "Weighs its words." },
  { id: "high", name: "High", description: "Thinks twice. There is nothing to think with." },
];

/** Its settings besides model and modes. */
export const SETTINGS = [{ id: "effort", choices: EFFORTS }];

export const COMMANDS = [
  { name: "help", description: "List the scenarios a prompt can name." },
  { name: "compact", description: "Summarize the conversation so far." },
];

export const TOOLS = ["read_file", "write_file", "run_command", "search_web", "delegate"];

/** It has no keys. With a compile cache for Node the mock starts in a quarter of the time. */
export const ENVIRONMENT_KEYS = ["NODE_COMPILE_CACHE"];

/** Our permission modes in the mock's words. */
export const PERMISSIONS: Readonly<Record<PermissionMode, WirePermissions>> = {
  default: "ask",
  plan: "plan",
  acceptEdits: "allow-edits",
  bypass: "allow-all",
};

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  steer: true,
  reportsSteering: true,
  fork: false,
  resume: true,
  rewind: true,
  images: true,
  stopTasks: true,
  playMoney: true,
  setModel: true,
  modes: MODES.map((mode) => mode.id),
  moreModes: false,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "local",
};
