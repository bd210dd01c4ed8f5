import { expect, test } from "vitest";
import { expandAgentEnvironments, plainVariables } from "./agent-config.ts";
import { checkAgentConfig } from "./check-agent-config.ts";

test.each([
  ["plain", "plain"],
  ["$KEY", "secret"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting is written like this
  ["a ${KEY}b $OTHER", "a secretb $KEY"],
  ["$$KEY costs 5$", "$KEY costs 5$"],
  ["$EMPTY", ""],
])("%s is %s", (text, expected) => {
  const environment = { KEY: "secret", OTHER: "$KEY", EMPTY: "" };
  const expanded = expandAgentEnvironments({ claude: { env: { NAME: text } }, mock: {} }, environment);
  expect(expanded).toEqual({ claude: { NAME: expected }, mock: {} });
});

test("a variable that is not set is named, and where it is wanted", () => {
  const expand = () => expandAgentEnvironments({ claude: { env: { KEY: "$WORK_KEY" } } }, {});
  expect(expand).toThrow("agents.claude.env.KEY: the variable WORK_KEY is not set");
});

const known = new Map<string, { program?: unknown }>([
  ["claude", { program: {} }],
  ["mock", {}],
]);

test("settings of agents there are can be used", () => {
  const agents = { claude: { command: "claude", install: "auto" as const, env: {} }, mock: { env: {} } };
  expect(() => checkAgentConfig({ agent: "mock", agents }, known)).not.toThrow();
});

test.each([
  [{ agent: "nobody", agents: {} }, '--agent: there is no agent "nobody". Use one of claude, mock.'],
  [
    { agent: "mock", agents: { nobody: {} } },
    'agents.nobody: there is no agent "nobody". There are: claude, mock.',
  ],
  [{ agent: "mock", agents: { mock: { command: "x" } } }, "agents.mock.command: mock comes with Interlingua"],
  [
    { agent: "mock", agents: { mock: { install: "auto" as const } } },
    "agents.mock.install: mock comes with Interlingua",
  ],
])("%j is refused", (config, expected) => {
  expect(() => checkAgentConfig(config, known)).toThrow(expected);
});

test.each([
  ["ANTHROPIC_MODEL", "claude-opus-5", true],
  ["GOOSE_MODE", "smart_approve", true],
  ["KIMI_MODEL_MAX_CONTEXT_SIZE", "100000", true],
  ["MAX_OUTPUT_TOKENS", "100000", true],
  ["BASE_URL", "https://models.example.com/v1", true],
  ["PRICE", "costs $$MUCH", true],
  ["GOOSE_MODE", "$MODE", false],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the setting is written like this
  ["ANY_NAME", "Bearer ${MODE}", false],
  ["ANTHROPIC_API_KEY", "sk-1234567", false],
  ["github_token", "ghp_1234567", false],
  ["CLIENT_SECRET", "abcdefgh", false],
  ["DB_PASSWORD", "correct horse", false],
  ["GOOGLE_CREDENTIALS", "{}{}{}", false],
  ["HTTPS_PROXY", "http://ann:pass@proxy.example.com:8080", false],
])("%s=%s is a plain setting: %s", (name, text, expected) => {
  const agents = { claude: { env: { [name]: text } } };
  const values = expandAgentEnvironments(agents, { MODE: "smart_approve" }).claude!;
  expect(plainVariables(agents.claude, values).includes(name)).toBe(expected);
});
