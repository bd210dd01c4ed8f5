/**
 * Whether each agent that comes with Interlingua asks before it acts, mode by mode and setting by setting, and what its slash
 * commands may change. Reviewed by hand, from what the agents say themselves: a test runs it over every recording, and
 * docs/reference/asking.md is made from it.
 */
import type { AskingRules, Asks } from "../core/asks-permission.ts";
import type { CommandRight } from "../core/prompt-commands.ts";
import { modeOfOption } from "./claude/outbound/permission-options.ts";

function never(...values: readonly string[]): Readonly<Record<string, Asks>> {
  return Object.fromEntries(values.map((value) => [value, "no"]));
}

/** The permission modes that all our own adapters map. */
const PERMISSION_MODES = { default: "yes", plan: "yes", acceptEdits: "yes", bypass: "no" } as const;

const SHARED_MODES = { build: "yes", plan: "yes" } as const;

function commands(
  harmless: readonly string[],
  bypass: readonly string[] = [],
): Readonly<Record<string, CommandRight>> {
  return Object.fromEntries([
    ...harmless.map((name) => [name, "session.prompt"] as const),
    ...bypass.map((name) => [name, "session.bypass"] as const),
  ]);
}

const CLAUDE_COMMANDS = commands(
  [
    ...["code-review", "compact", "context", "deep-research", "help", "init", "insights", "recap"],
    ...["review", "run", "security-review", "simplify", "team-onboarding", "usage", "verify"],
    ...["claude-api", "dataviz", "plugin-authoring", "workflow-authoring"],
  ],
  [
    ...[
      "add-dir",
      "allowed-tools",
      "auto-mode-setup",
      "config",
      "fewer-permission-prompts",
      "hooks",
      "loop",
      "mcp",
    ],
    ...["permissions", "plugin", "reload-plugins", "remote-control", "sandbox", "settings"],
    ...["update-config"],
  ],
);

/** Its `auto` leaves the decision to a classifier; `dontAsk` refuses instead of asking. */
const CLAUDE_MODES = {
  default: "yes",
  plan: "yes",
  acceptEdits: "yes",
  auto: "no",
  dontAsk: "no",
  bypassPermissions: "no",
} as const;

const OPENCODE_COMMANDS = commands(["compact", "help", "init", "review"]);

const HARMLESS_EFFORT = { effort: "yes" } as const;

const MODEL_AGENT: AskingRules = {
  unset: "yes",
  permissionModes: PERMISSION_MODES,
  modes: SHARED_MODES,
  settings: HARMLESS_EFFORT,
  commands: commands(["compact"]),
};

const COPILOT_MODE = "https://agentclientprotocol.com/protocol/session-modes#";

export const ASKING_RULES: Readonly<Record<string, AskingRules>> = {
  claude: {
    unset: "yes",
    permissionModes: { ...PERMISSION_MODES, ...CLAUDE_MODES },
    modes: SHARED_MODES,
    settings: HARMLESS_EFFORT,
    commands: CLAUDE_COMMANDS,
    optionMode: modeOfOption,
    unaskedOption: ({ allowedTools }) => (allowsCommands(allowedTools) ? "options.allowedTools" : undefined),
  },
  codex: {
    unset: "yes",
    // After ours the policies of its own, which it reports where they are none of ours.
    permissionModes: { ...PERMISSION_MODES, untrusted: "yes", "on-request": "yes", never: "no" },
    modes: SHARED_MODES,
    settings: {
      ...HARMLESS_EFFORT,
      sandbox: { readOnly: "yes", workspaceWrite: "yes", dangerFullAccess: "no" },
    },
    unaskedOption({ approvalPolicy, sandbox, config }) {
      if (approvalPolicy === "never") return "options.approvalPolicy";
      if (sandbox === "danger-full-access") return "options.sandbox";
      return config !== undefined && changesApproval(config) ? "options.config" : undefined;
    },
  },
  opencode: {
    // Where no permission mode is set, its own configuration decides, and as it comes that allows everything.
    unset: "unknown",
    // OpenCode gives the session of a sub-agent none of the `ask` rules, and MCP tools are in no rule.
    permissionModes: { default: "unknown", plan: "unknown", acceptEdits: "unknown", bypass: "no" },
    modes: { build: "unknown", plan: "unknown" },
    settings: { ...HARMLESS_EFFORT, variant: "yes" },
    commands: OPENCODE_COMMANDS,
  },
  amp: { unset: "no" },
  model: MODEL_AGENT,
  openai: MODEL_AGENT,
  "anthropic-api": MODEL_AGENT,
  mock: {
    unset: "yes",
    permissionModes: PERMISSION_MODES,
    modes: SHARED_MODES,
    settings: HARMLESS_EFFORT,
    commands: commands(["compact", "help"]),
  },
  gemini: {
    unset: "yes",
    modes: { default: "yes", plan: "yes", autoEdit: "yes", yolo: "no" },
    commands: commands(
      ["about", "extensions explore", "extensions list", "help", "init", "memory list", "memory show"],
      ["extensions"],
    ),
  },
  qwen: {
    // It begins in `auto`, where a classifier decides.
    unset: "no",
    modes: { default: "yes", plan: "yes", "auto-edit": "yes", auto: "no", yolo: "no" },
    commands: commands(
      [
        ...["about", "advisor", "btw", "compress", "compress-fast", "context", "dataviz", "diff", "help"],
        ...["init", "insight", "qc-helper", "review", "simplify", "stats", "status", "summary", "tasks"],
        ...["workflow-authoring"],
      ],
      [
        ...["approval-mode", "config", "directory", "extensions", "hooks", "import-config", "loop", "mcp"],
        ...["permissions", "trust", "update", "zvec-grep-install"],
      ],
    ),
  },
  copilot: {
    unset: "yes",
    modes: {
      [`${COPILOT_MODE}agent`]: "yes",
      [`${COPILOT_MODE}plan`]: "yes",
      [`${COPILOT_MODE}autopilot`]: "no",
    },
    settings: { allow_all: { off: "yes", on: "no" } },
    commands: commands(
      [
        ...["blame", "compact", "context", "env", "help", "init", "list-dirs", "research"],
        ...["review", "security-review", "usage"],
      ],
      [
        ...["add-dir", "after", "allow-all", "autopilot", "cwd", "every", "extensions", "mcp"],
        ...["permissions", "plugin", "remote", "sandbox", "yolo"],
      ],
    ),
  },
  grok: {
    unset: "yes",
    commands: commands(
      ["compact", "context", "deep-research", "help", "session-info"],
      ["always-approve", "auto", "loop", "permissions", "yolo"],
    ),
  },
  droid: {
    unset: "yes",
    // From `auto-low` on it runs commands without asking, and its model says how risky each one is.
    modes: { normal: "yes", spec: "yes", "auto-low": "no", "auto-medium": "no", "auto-high": "no" },
    settings: { reasoning_effort: "yes" },
    // Each of them raises its autonomy: "Allow & auto-run low risk commands".
    askOptions: never(
      ...["proceed_always", "proceed_auto_run", "proceed_auto_run_low", "proceed_auto_run_medium"],
      "proceed_auto_run_high",
    ),
    commands: commands([
      ...["compact", "excel", "help", "incident", "init", "pdf-document", "powerpoint", "review"],
      ...["security-review", "session-navigation", "simplify", "word-document"],
    ]),
  },
  pi: { unset: "no", commands: commands(["changelog", "compact", "session"]) },
  goose: {
    // It begins in `auto`.
    unset: "no",
    modes: { approve: "yes", chat: "yes", smart_approve: "no", auto: "no" },
    // Some providers are agents of their own, which act by rules of theirs.
    settings: {
      provider: {
        ...never("amp-acp", "claude-acp", "claude-code", "codex", "codex-acp", "copilot-acp", "cursor-agent"),
        ...never("gemini-cli", "pi-acp"),
        "*": "yes",
      },
      thinking_effort: "yes",
    },
    commands: commands(["compact", "help", "prompts"], ["builtin", "extension", "mode"]),
  },
  cline: {
    // It is started with `--auto-approve false`.
    unset: "yes",
    modes: { act: "yes", plan: "yes" },
    settings: { auto_approve: { false: "yes", true: "no" }, provider: "yes" },
  },
  kimi: {
    unset: "yes",
    modes: { default: "yes", plan: "yes", auto: "no", yolo: "no" },
    settings: { thinking: "yes" },
    commands: commands(["compact", "help", "mcp", "status", "usage"], ["afk", "auto", "yolo"]),
  },
  kilo: {
    // Its own configuration decides. As in OpenCode, of which it is a copy, sub-agents are not known to ask.
    unset: "unknown",
    modes: { ask: "unknown", code: "unknown", debug: "unknown", orchestrator: "unknown", plan: "unknown" },
    commands: commands(["compact", "help", "init", "review"]),
  },
  "claude-agent-acp": {
    unset: "yes",
    modes: CLAUDE_MODES,
    settings: { ...HARMLESS_EFFORT, fast: "yes", ultracode: "yes" },
    commands: CLAUDE_COMMANDS,
  },
  "codex-acp": {
    // It begins in `agent`, where a model reviews what it does.
    unset: "no",
    modes: { "read-only": "yes", "workspace-write": "yes", agent: "no", "agent-full-access": "no" },
    settings: { collaboration_mode: "yes", "fast-mode": "yes", reasoning_effort: "yes" },
    commands: commands(
      ["compact", "help", "mcp", "review", "review-branch", "review-commit", "skills", "status"],
      ["approvals", "permissions", "sandbox"],
    ),
  },
  "opencode-acp": {
    unset: "unknown",
    modes: { build: "unknown", plan: "unknown" },
    settings: HARMLESS_EFFORT,
    commands: OPENCODE_COMMANDS,
  },
};

/** What the config says of an agent that only it knows. */
export interface DeclaredAsking {
  /** It asks as it comes, with no mode chosen. */
  readonly byDefault?: boolean;
  /** The modes in which it asks. */
  readonly modes?: readonly string[];
  /** The values of its settings with which it still asks. */
  readonly settings?: Readonly<Record<string, readonly (string | boolean)[]>>;
  /** The slash commands that change nothing. */
  readonly commands?: readonly string[];
}

export function declaredRules({ byDefault, modes, settings, commands: names }: DeclaredAsking): AskingRules {
  return {
    unset: byDefault === undefined ? "unknown" : byDefault ? "yes" : "no",
    modes: modes && Object.fromEntries(modes.map((mode) => [mode, "yes" as Asks])),
    settings:
      settings &&
      Object.fromEntries(
        Object.entries(settings).map(([id, values]) => [
          id,
          Object.fromEntries(values.map((value) => [String(value), "yes" as Asks])),
        ]),
      ),
    commands: names && commands(names),
  };
}

/**
 * Whether a configured command has options, such as `--yolo` or those of `sh -c "claude …"`. Plain words are a script or a
 * program: `node cli.js`.
 */
export function hasOptions(command: string | readonly string[] | undefined): boolean {
  return Array.isArray(command) && command.slice(1).some((word: string) => word.startsWith("-"));
}

/** Whether Claude Code may run any command without asking; `Bash(git log *)` allows only some. */
function allowsCommands(rules: unknown): boolean {
  if (!Array.isArray(rules)) return false;
  return rules.some((rule) =>
    /(?:^|[\s,])(?:Bash|PowerShell|\*)(?:\((?:\s*:?\*\s*)?\))?(?:$|[\s,])/.test(String(rule)),
  );
}

function changesApproval(config: unknown): boolean {
  return /approval|sandbox|permission|trust|profile/i.test(JSON.stringify(config));
}
