/** The built-in ACP agents: package, version, how each is started and signed in, and where it differs. */
import { ENVIRONMENT_KEYS as CLAUDE_KEYS } from "../claude/environment.ts";
import type { AcpAgent } from "./agent.ts";

/** Keys of the model providers that agents for any model look for. */
const PROVIDER_KEYS = [
  ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  ...["MISTRAL_API_KEY", "GROQ_API_KEY", "XAI_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"],
];

export const PRESETS: readonly AcpAgent[] = [
  {
    name: "gemini",
    title: "Gemini CLI",
    program: { executable: "gemini", package: "@google/gemini-cli", version: "0.61.0" },
    args: ["--acp"],
    environmentKeys: ["GEMINI_*", "GOOGLE_*"],
    keyMethods: [{ method: "gemini-api-key", variable: "GEMINI_API_KEY" }],
    memory: { home: ".gemini", files: ["tmp/*/chats/session-*-{id:8}.jsonl"] },
    signIn: "Run `gemini` once in a terminal and sign in there, or set GEMINI_API_KEY.",
    capabilities: { questions: false },
  },
  {
    name: "qwen",
    title: "Qwen Code",
    program: { executable: "qwen", package: "@qwen-code/qwen-code", version: "0.24.4" },
    args: ["--acp"],
    environmentKeys: ["OPENAI_*", "QWEN_*", "DASHSCOPE_*"],
    keyMethods: [{ method: "openai", variable: "OPENAI_API_KEY" }],
    memory: { home: ".qwen", files: ["projects/*/chats/{id}.jsonl"] },
    signIn:
      "Run `qwen` once in a terminal and use /auth there, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL.",
    capabilities: { questions: false },
  },
  {
    name: "copilot",
    title: "GitHub Copilot CLI",
    program: { executable: "copilot", package: "@github/copilot", version: "1.0.102" },
    args: ["--acp"],
    environmentKeys: ["COPILOT_*", "GH_TOKEN", "GITHUB_TOKEN"],
    signIn: "Run `copilot login` in a terminal, or set GH_TOKEN.",
    capabilities: { questions: false, setModel: false },
  },
  {
    name: "grok",
    title: "Grok Build",
    program: { executable: "grok", package: "@xai-official/grok", version: "1.0.41" },
    args: ["agent", "--no-leader", "stdio"],
    environmentKeys: ["XAI_*", "GROK_*"],
    keyMethods: [{ method: "xai.api_key", variable: "XAI_API_KEY" }],
    signIn: "Run `grok login` in a terminal, or set XAI_API_KEY.",
    capabilities: { images: false },
  },
  {
    name: "droid",
    title: "Factory Droid",
    program: { executable: "droid", package: "droid", version: "0.215.0" },
    args: ["exec", "--output-format", "acp"],
    environmentKeys: ["FACTORY_*"],
    keyMethods: [{ method: "factory-api-key", variable: "FACTORY_API_KEY" }],
    signIn: "Run `droid` once in a terminal and sign in there, or set FACTORY_API_KEY.",
    // What it says comes in one piece.
    capabilities: { streaming: false, questions: false },
  },
  {
    name: "pi",
    title: "pi",
    program: { executable: "pi-acp", package: "pi-acp", version: "0.0.34" },
    args: [],
    environmentKeys: ["PI_*", ...PROVIDER_KEYS],
    companion: {
      variable: "PI_ACP_PI_COMMAND",
      file: "../../@earendil-works/pi-coding-agent/dist/bundle/cli.js",
    },
    signIn: "Run `pi` once in a terminal and use /login there, or set the key of a provider it knows.",
    // It runs its tools without asking anybody.
    capabilities: { permissions: false, questions: false },
  },
  {
    name: "goose",
    title: "goose",
    program: { executable: "goose", package: "@aaif/goose-binary-linux-x64", version: "1.52.0" },
    args: ["acp", "--with-builtin", "developer"],
    environmentKeys: ["GOOSE_*", "OPENAI_*", ...PROVIDER_KEYS],
    signIn:
      "Run `goose configure` in a terminal, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of the provider.",
    capabilities: { questions: false },
  },
  {
    name: "cline",
    title: "Cline",
    program: { executable: "cline", package: "cline", version: "3.0.65" },
    // Without it everything is approved.
    args: ["--acp", "--auto-approve", "false"],
    environmentKeys: ["CLINE_*", ...PROVIDER_KEYS],
    signIn: "Run `cline auth` in a terminal, or set CLINE_API_KEY and CLINE_PROVIDER.",
    // It takes images, and does not show them to the model.
    capabilities: { questions: false, slashCommands: false, images: false },
  },
  {
    name: "kimi",
    title: "Kimi Code",
    program: { executable: "kimi", package: "@moonshot-ai/kimi-code", version: "2.1.0" },
    args: ["acp"],
    environmentKeys: ["KIMI_*"],
    signIn:
      "Run `kimi login` in a terminal, or set KIMI_MODEL_NAME, KIMI_MODEL_BASE_URL and KIMI_MODEL_API_KEY.",
  },
  {
    name: "kilo",
    title: "Kilo Code",
    program: { executable: "kilo", package: "@kilocode/cli", version: "7.7.7" },
    args: ["acp"],
    environmentKeys: ["KILO_*", ...PROVIDER_KEYS],
    // Else its model is offered a tool for questions, which nobody ever hears and which never ends.
    environment: { KILO_CLIENT: "acp" },
    signIn: "Run `kilo auth login` in a terminal, or set the key of a provider it knows.",
    capabilities: { questions: false },
  },
  {
    name: "claude-agent-acp",
    title: "Claude over ACP",
    program: {
      executable: "claude-agent-acp",
      package: "@agentclientprotocol/claude-agent-acp",
      version: "0.99.0",
    },
    args: [],
    environmentKeys: CLAUDE_KEYS,
    memory: {
      variable: "CLAUDE_CONFIG_DIR",
      home: ".claude",
      files: ["projects/*/{id}.jsonl", "projects/*/{id}/subagents/*.jsonl"],
    },
    signIn: "Run `claude auth login` in a terminal, or set ANTHROPIC_API_KEY.",
  },
  {
    name: "codex-acp",
    title: "Codex over ACP",
    program: { executable: "codex-acp", package: "@agentclientprotocol/codex-acp", version: "2.6.0" },
    args: [],
    environmentKeys: ["OPENAI_*", "CODEX_*"],
    keyMethods: [
      { method: "api-key", variable: "CODEX_API_KEY" },
      { method: "api-key", variable: "OPENAI_API_KEY" },
    ],
    memory: {
      variable: "CODEX_HOME",
      home: ".codex",
      files: ["sessions/*/*/*/rollout-*-{id}.jsonl"],
    },
    signIn: "Run `codex login` in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY.",
    capabilities: { questions: false },
  },
  {
    name: "opencode-acp",
    title: "OpenCode over ACP",
    program: { executable: "opencode", package: "opencode-ai", version: "1.18.33" },
    args: ["acp"],
    environmentKeys: ["OPENCODE_*", ...PROVIDER_KEYS],
    signIn: "Run `opencode auth login` in a terminal, or set the key of a provider it knows.",
    capabilities: { questions: false },
  },
];
