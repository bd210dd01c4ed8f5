/** What OpenCode is and can do, in our words and in its own. */
import {
  type BackendCapabilities,
  type PermissionMode,
  permissionModeSchema,
} from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";

export const NAME = "opencode";

/** The keys of each provider. A server gets those of the provider that was chosen, and of no other. */
export const PROVIDER_KEYS: Readonly<Record<string, readonly string[]>> = {
  "amazon-bedrock": ["AWS_*"],
  anthropic: ["ANTHROPIC_API_KEY"],
  azure: ["AZURE_API_KEY", "AZURE_RESOURCE_NAME"],
  cerebras: ["CEREBRAS_API_KEY"],
  cohere: ["COHERE_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  fireworks: ["FIREWORKS_API_KEY"],
  "github-copilot": ["GITHUB_TOKEN"],
  google: ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  "google-vertex": ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_VERTEX_*"],
  groq: ["GROQ_API_KEY"],
  huggingface: ["HF_TOKEN"],
  mistral: ["MISTRAL_API_KEY"],
  moonshotai: ["MOONSHOT_API_KEY"],
  nvidia: ["NVIDIA_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  opencode: ["OPENCODE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  perplexity: ["PERPLEXITY_API_KEY"],
  togetherai: ["TOGETHER_API_KEY"],
  vercel: ["AI_GATEWAY_API_KEY"],
  xai: ["XAI_API_KEY"],
  zai: ["ZHIPU_API_KEY"],
};

/** Where the user's own configuration is, and what it may leave alone on the network. */
export const CONFIGURATION_KEYS = [
  "OPENCODE_CONFIG",
  "OPENCODE_CONFIG_DIR",
  "OPENCODE_CONFIG_CONTENT",
  "OPENCODE_DISABLE_*",
  "OPENCODE_MODELS_URL",
];

export const ENVIRONMENT_KEYS = [...CONFIGURATION_KEYS, ...Object.values(PROVIDER_KEYS).flat()];

interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: "allow" | "ask" | "deny";
}

const rule = (permission: string, action: PermissionRule["action"]): PermissionRule => ({
  permission,
  pattern: "*",
  action,
});

/**
 * Our permission modes as rules of a session, which come after those of the user's configuration and so win. A
 * session without a mode has none: then OpenCode asks where its configuration says so.
 */
const PERMISSIONS: Readonly<Record<PermissionMode, readonly PermissionRule[]>> = {
  default: [rule("edit", "ask"), rule("bash", "ask"), rule("webfetch", "ask")],
  plan: [rule("edit", "deny"), rule("bash", "ask"), rule("webfetch", "ask")],
  acceptEdits: [rule("edit", "allow"), rule("bash", "ask"), rule("webfetch", "ask")],
  bypass: [rule("*", "allow")],
};

/** Throws `unsupported` for a mode that is none of ours. */
export function permissionRules(mode: string): readonly PermissionRule[] {
  const known = permissionModeSchema.safeParse(mode);
  if (known.success) return PERMISSIONS[known.data];
  const names = Object.keys(PERMISSIONS).join(", ");
  throw new InterlinguaError(
    "unsupported",
    `OpenCode has no permission mode "${mode}"; use one of ${names}.`,
  );
}

/** The mode these rules are of; undefined for rules of other clients. */
export function permissionModeOf(rules: unknown): PermissionMode | undefined {
  const text = JSON.stringify(rules);
  const modes = Object.entries(PERMISSIONS) as [PermissionMode, readonly PermissionRule[]][];
  return modes.find(([, known]) => JSON.stringify(known) === text)?.[0];
}

export const CAPABILITIES: BackendCapabilities = {
  streaming: true,
  permissions: true,
  questions: true,
  slashCommands: true,
  steer: true,
  // Steps are told, and a prompt is taken up with the next one.
  reportsSteering: false,
  fork: true,
  resume: true,
  rewind: true,
  images: true,
  setModel: true,
  modes: ["build", "plan"],
  moreModes: true,
  permissionModes: Object.keys(PERMISSIONS) as PermissionMode[],
  availability: "local",
};
