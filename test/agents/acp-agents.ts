/** The real ACP agents the suite runs: what each needs to speak with the scripted model, and how it differs. */
import { dirname } from "node:path";
import { type Beat, toolCall } from "../../src/testkit/scripted-model/index.ts";
import type { AgentUnderTest } from "./agent-world.ts";
import { codexConfig } from "./codex-world.ts";

/** What the contract of adapters needs to know. */
export interface AcpContract {
  /** Its tool for questions, or what a model would call where it has none. */
  readonly question: Beat;
  /** A prompt that is answered by the agent itself, and with what. */
  readonly slashCommand: { readonly prompt: string; readonly answer: string };
  /** Another model than the one it begins with, and as what the model hears it. */
  readonly model: { readonly name: string; readonly isHeardAs: string };
  /** A helper of it serves several sessions. */
  readonly sharesProcesses?: boolean;
}

export interface AcpAgentUnderTest extends AgentUnderTest {
  /** What its sessions are made with, so that it asks before it acts. */
  readonly session?: object;
  /** Its tool for commands. */
  shell(command: string): Beat;
  /** It runs its tools without asking. */
  readonly asksNobody?: boolean;
  /** It tells no input of its tools; the title has the command. */
  readonly tellsNoInput?: boolean;
  /** It says nothing before it has all of the model's answer. */
  readonly speaksAtOnce?: boolean;
  /** A session that is taken up in the minute it was begun loses its memory: its file has the minute in its name. */
  readonly resumesNextMinute?: boolean;
  /** It may end the first turn after a stop at once and without a word, if the prompt comes within a second or so. */
  readonly missesPromptAfterStop?: boolean;
  /** What becomes of an error of the model: the turn fails, or nothing is said at all. */
  readonly errorIs: "failure" | "silence";
  /** It says nothing either when its credentials are refused. */
  readonly hidesRefusals?: boolean;
  readonly contract?: AcpContract;
}

const COLOURS = [
  { label: "Red", description: "Warm" },
  { label: "Blue", description: "Cold" },
];
const COLOUR = { question: "Which colour?", header: "Colour", options: COLOURS, multi_select: false };
const QUESTIONS = { questions: [COLOUR] };

const described = (command: string) => ({ command, description: "Does what has to be done" });

const openAi = ({ url }: { url: string }) => `${url}/v1`;

const ABILITIES = {
  limit: { context: 128_000, output: 8192 },
  modalities: { input: ["text", "image"], output: ["text"] },
  attachment: true,
  tool_call: true,
};

const openCodeConfig = (model: { url: string }) => ({
  model: "scripted/large",
  command: { greet: { template: "Greet $ARGUMENTS [[answer]]" } },
  permission: { bash: "ask", edit: "ask" },
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      name: "Scripted",
      options: { baseURL: openAi(model), apiKey: "sk-scripted" },
      models: { large: { name: "Large", ...ABILITIES }, small: { name: "Small", ...ABILITIES } },
    },
  },
});

export const ACP_AGENTS: readonly AcpAgentUnderTest[] = [
  {
    name: "claude-agent-acp",
    environment: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "sk-ant-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
    }),
    shell: (command) => toolCall("Bash", described(command)),
    errorIs: "failure",
  },
  {
    name: "codex-acp",
    environment: () => ({ OPENAI_API_KEY: "sk-scripted" }),
    files: (model) => ({ ".codex/config.toml": codexConfig(model) }),
    session: { mode: "read-only" },
    shell: (cmd) =>
      toolCall("exec_command", {
        cmd,
        sandbox_permissions: "require_escalated",
        justification: "It has to be.",
      }),
    errorIs: "failure",
  },
  {
    name: "opencode-acp",
    environment: (model) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfig(model)),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
    }),
    shell: (command) => toolCall("bash", described(command)),
    errorIs: "failure",
  },
  {
    name: "copilot",
    environment: (model) => ({
      COPILOT_PROVIDER_BASE_URL: openAi(model),
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
    }),
    shell: (command) => toolCall("bash", described(command)),
    errorIs: "failure",
  },
  {
    name: "qwen",
    environment: (model) => ({
      OPENAI_BASE_URL: openAi(model),
      OPENAI_API_KEY: "sk-scripted",
      OPENAI_MODEL: "scripted",
    }),
    session: { mode: "default" },
    shell: (command) => toolCall("run_shell_command", { ...described(command), is_background: false }),
    errorIs: "failure",
  },
  {
    name: "grok",
    environment: () => ({ XAI_API_KEY: "scripted" }),
    files: (model) => ({
      ".grok/config.toml": [
        ...[
          "[models]",
          'default = "scripted"',
          "[model.scripted]",
          'model = "scripted"',
          'name = "Scripted"',
        ],
        ...[`base_url = "${openAi(model)}"`, 'api_key = "scripted"', ""],
      ].join("\n"),
    }),
    shell: (command) => toolCall("run_terminal_command", described(command)),
    errorIs: "failure",
  },
  {
    name: "pi",
    // It starts pi by its first line, which takes the Node on the PATH.
    environment: () => ({ PATH: `${dirname(process.execPath)}:${process.env.PATH}` }),
    files: (model) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          scripted: {
            baseUrl: openAi(model),
            api: "openai-completions",
            apiKey: "scripted",
            models: [{ id: "scripted" }],
          },
        },
      }),
    }),
    shell: (command) => toolCall("bash", { command }),
    asksNobody: true,
    errorIs: "silence",
    hidesRefusals: true,
  },
  {
    name: "gemini",
    environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "scripted" }),
    shell: (command) => toolCall("run_shell_command", described(command)),
    tellsNoInput: true,
    resumesNextMinute: true,
    errorIs: "failure",
  },
  {
    name: "droid",
    environment: () => ({ FACTORY_API_KEY: "fk-scripted" }),
    files: (model) => ({
      ".factory/settings.json": JSON.stringify({
        customModels: [
          {
            model: "scripted",
            displayName: "Scripted",
            baseUrl: openAi(model),
            apiKey: "scripted",
            provider: "generic-chat-completion-api",
          },
        ],
      }),
    }),
    session: { model: "custom:Scripted-0" },
    shell: (command) =>
      toolCall("Execute", { command, summary: "Does it", riskLevel: "low", riskLevelReason: "It is small" }),
    speaksAtOnce: true,
    missesPromptAfterStop: true,
    errorIs: "failure",
  },
  {
    name: "goose",
    environment: ({ url }) => ({
      GOOSE_PROVIDER: "openai",
      // It sends pictures only to models it knows.
      GOOSE_MODEL: "gpt-4o",
      OPENAI_HOST: url,
      OPENAI_API_KEY: "sk-scripted",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_TELEMETRY_OFF: "1",
    }),
    session: { mode: "approve" },
    shell: (command) => toolCall("shell", { command }),
    errorIs: "failure",
    contract: {
      question: toolCall("question", QUESTIONS),
      slashCommand: { prompt: "/skills", answer: "skill" },
      model: { name: "gpt-4o-mini", isHeardAs: "gpt-4o-mini" },
    },
  },
  {
    name: "cline",
    environment: () => ({ CLINE_API_KEY: "sk-scripted", CLINE_PROVIDER: "openai-compatible" }),
    files: (model) => ({
      ".cline/data/settings/providers.json": JSON.stringify({
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: { provider: "openai-compatible", apiKey: "sk-scripted", baseUrl: openAi(model) },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      }),
    }),
    shell: (command) => toolCall("run_commands", { commands: [command] }),
    errorIs: "failure",
    contract: {
      question: toolCall("ask_question", { question: "Which colour?", options: ["Red", "Blue"] }),
      slashCommand: { prompt: "/help", answer: "help" },
      model: { name: "other", isHeardAs: "other" },
      sharesProcesses: true,
    },
  },
  {
    name: "kimi",
    environment: () => ({ KIMI_CODE_NO_AUTO_UPDATE: "1" }),
    files: (model) => ({
      ".kimi-code/config.toml": [
        'default_model = "large"',
        ...[
          "[providers.scripted]",
          'type = "openai"',
          `base_url = "${openAi(model)}"`,
          'api_key = "sk-scripted"',
        ],
        ...["large", "small"].flatMap((name) => [
          ...[`[models.${name}]`, 'provider = "scripted"', `model = "${name}"`],
          ...["max_context_size = 100000", 'capabilities = ["image_in"]'],
        ]),
        "",
      ].join("\n"),
    }),
    shell: (command) => toolCall("Bash", described(command)),
    errorIs: "silence",
    contract: {
      question: toolCall("AskUserQuestion", QUESTIONS),
      slashCommand: { prompt: "/help", answer: "/compact" },
      model: { name: "small", isHeardAs: "small" },
    },
  },
  {
    name: "kilo",
    environment: (model) => ({
      KILO_CONFIG_CONTENT: JSON.stringify(openCodeConfig(model)),
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_DISABLE_LSP_DOWNLOAD: "1",
      KILO_DISABLE_DEFAULT_PLUGINS: "1",
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_SESSION_INGEST: "1",
      KILO_TELEMETRY_LEVEL: "off",
    }),
    shell: (command) => toolCall("bash", described(command)),
    errorIs: "failure",
    contract: {
      question: toolCall("question", QUESTIONS),
      slashCommand: { prompt: "/greet them", answer: "Hello." },
      model: { name: "scripted/small", isHeardAs: "small" },
    },
  },
];
