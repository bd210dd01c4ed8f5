/** docs/reference/feature-matrix.md: all agents beside each other, from what their adapters declare and what is installed. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PRESETS } from "../../src/agents/acp/presets.ts";
import { MODEL_AGENTS } from "../../src/agents/model/manifest.ts";
import { createAgents } from "../../src/agents/registry.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import type { Programs } from "../../src/core/program.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { markdownTable } from "./markdown-table.ts";

const PRESET_FOLDER = resolve(import.meta.dirname, "../../src/install/presets");

interface Wire {
  readonly protocol: string;
  readonly processes: string;
  readonly sessionId: string;
}

const ACP: Wire = {
  protocol: "Agent Client Protocol 1: JSON-RPC on its pipes",
  processes: "one for each session",
  sessionId: "`sessionId` of `session/new`",
};

const MODEL: Wire = {
  protocol: "JSON lines on its pipes, with the parts of the AI SDK and the provider's chunks",
  processes: "one for each session",
  sessionId: "its own, another for each process",
};

/** What no code says: whose models it uses, and how it speaks. */
const WIRES: Readonly<Record<string, Wire>> = {
  claude: {
    protocol: "`stream-json`: JSON lines on its pipes, with control requests",
    processes: "one for each session",
    sessionId: "`session_id`, a UUID",
  },
  codex: {
    protocol: "`codex app-server`: JSON-RPC on its pipes",
    processes: "one for all sessions with the same program and environment",
    sessionId: "the id of its thread",
  },
  opencode: {
    protocol: "`opencode serve`: HTTP and server-sent events",
    processes: "one for all sessions with the same program, provider, environment and MCP servers",
    sessionId: "the id of its session, `ses_…`",
  },
  amp: {
    protocol: "`--stream-json`: JSON lines on its pipes",
    processes: "one for each turn",
    sessionId: "the id of its thread, `T-…`",
  },
  ...Object.fromEntries(MODEL_AGENTS.map(({ name }) => [name, MODEL])),
  mock: { protocol: "JSON lines on its pipes", processes: "one for each session", sessionId: "its own" },
  ...Object.fromEntries(PRESETS.map(({ name }) => [name, ACP])),
};

const PROVIDERS: Readonly<Record<string, string>> = {
  claude: "Anthropic; also Bedrock and others it supports",
  codex: "OpenAI, or one of its config",
  opencode: "any it knows",
  amp: "its own service",
  mock: "none",
  gemini: "Google",
  qwen: "any with OpenAI's API",
  copilot: "GitHub",
  grok: "xAI",
  droid: "Factory",
  pi: "any it knows",
  goose: "any it knows",
  cline: "any it knows",
  kimi: "Moonshot, or another by its variables",
  kilo: "any it knows",
  "claude-agent-acp": "Anthropic",
  "codex-acp": "OpenAI",
  "opencode-acp": "any it knows",
};

const GUIDES: Readonly<Record<string, string>> = {
  claude: "../guides/claude.md",
  codex: "../guides/codex.md",
  opencode: "../guides/opencode.md",
  amp: "../guides/amp.md",
  ...Object.fromEntries(MODEL_AGENTS.map(({ name }) => [name, "../guides/models.md"])),
  mock: "mock-scenarios.md",
};

const FEATURES: readonly [title: string, has: (adapter: BackendAdapter) => boolean][] = [
  ["streams", ({ capabilities }) => capabilities.streaming],
  ["permissions", ({ capabilities }) => capabilities.permissions],
  ["questions", ({ capabilities }) => capabilities.questions],
  ["commands", ({ capabilities }) => capabilities.slashCommands],
  ["pictures", ({ capabilities }) => capabilities.images],
  ["steer", ({ capabilities }) => capabilities.steer],
  ["model", ({ capabilities }) => capabilities.setModel],
  ["resume", ({ capabilities, takesHistory }) => capabilities.resume || takesHistory === true],
  ["rewind", ({ capabilities }) => capabilities.rewind],
  ["fork", ({ capabilities }) => capabilities.fork],
  ["moves", ({ memory, takesHistory }) => memory !== undefined || takesHistory === true],
];

export function featureMatrix(): string {
  // Only what adapters declare is read; nothing is run.
  const agents = createAgents({
    processHost: {} as ProcessHost,
    programs: {} as Programs,
    dataDirectory: ":memory:",
    environmentOf: () => ({}),
  });
  const adapters = [...agents.values()];
  return `# Feature matrix

<!-- Written by \`npm run reference\` from what the adapters in src/agents declare. Change it there. -->

All agents beside each other. The marks are what each adapter declares, and the contract suite holds adapters to it. What
was seen with the real program, and what differs in the details, is in the guide of each agent.

## What works

${markdownTable(["agent", ...FEATURES.map(([title]) => title)], adapters.map(featureRow))}

| | |
|---|---|
| streams | text comes as it is written, not in one piece |
| permissions | it asks before it acts, and waits for an answer |
| questions | it can ask a person structured questions |
| commands | slash commands |
| pictures | as part of a prompt |
| steer | takes up a prompt in the running turn |
| model | can be changed while the session is open |
| resume | takes up the conversation in a new process, by itself or from the history it is given: after idle, a crash, a restart |
| rewind | can forget the end of the conversation, for an edit or another answer |
| fork | a [fork](http-api.md#fork) goes on from a copy of its own conversation; with the others from a written account of it, or from the history where they take that |
| moves | [another node](../guides/cluster.md#what-an-agent-remembers) goes on with the agent's own memory of the conversation, or with the history where it takes that; with the others from a written account. \`amp\` keeps its conversations at its service |

What agents change in files can be [undone](../guides/undo.md) with all of them: that needs nothing of theirs.

What an ACP agent can do it also says when it starts; what it then says counts.

## Modes

${markdownTable(["agent", "modes", "permission modes"], together(adapters.map(modeRow)))}

"its own" are those that the agent names when it runs.

## Programs

\`interlingua agents install NAME\` installs this version, on these machines. One on the \`PATH\` works too.

${markdownTable(
  ["agent", "models of", "program", "package", "can be installed on"],
  adapters.filter(({ program }) => program !== undefined).map(programRow),
)}

## Protocols

${markdownTable(["agent", "how it speaks with Interlingua", "processes", "its own session id"], together(adapters.map(wireRow)))}

Interlingua's own session id is yours to choose. The agent's is in \`agentSessionId\` of \`session.attached\`.
`;
}

function link({ name }: BackendAdapter): string {
  return `[\`${name}\`](${GUIDES[name] ?? "../guides/acp.md"})`;
}

function featureRow(adapter: BackendAdapter): string[] {
  return [link(adapter), ...FEATURES.map(([, has]) => (has(adapter) ? "yes" : "–"))];
}

function modeRow(adapter: BackendAdapter): string[] {
  const { modes, moreModes, permissionModes } = adapter.capabilities;
  const names = [...modes.map((mode) => `\`${mode}\``), ...(moreModes ? ["its own"] : [])];
  return [link(adapter), names.join(", "), permissionModes.map((mode) => `\`${mode}\``).join(", ") || "–"];
}

function programRow(adapter: BackendAdapter): string[] {
  const { name, program } = adapter;
  const { programs } = JSON.parse(readFileSync(join(PRESET_FOLDER, name, "preset.json"), "utf8"));
  const platforms = Object.keys(programs).map((platform) => (platform === "any" ? "everything" : platform));
  return [
    link(adapter),
    known(PROVIDERS, name),
    `\`${program!.executable}\``,
    `\`${program!.package}\` ${program!.version}`,
    platforms.join(", "),
  ];
}

function wireRow(adapter: BackendAdapter): string[] {
  const { protocol, processes, sessionId } = known(WIRES, adapter.name);
  return [link(adapter), protocol, processes, sessionId];
}

/** Rows that say the same of several agents, as one. */
function together(rows: readonly string[][]): string[][] {
  const groups = Map.groupBy(rows, ([, ...cells]) => JSON.stringify(cells));
  return [...groups.values()].map((group) => [
    group.map(([agent]) => agent).join(", "),
    ...group[0]!.slice(1),
  ]);
}

function known<Value>(table: Readonly<Record<string, Value>>, agent: string): Value {
  const value = table[agent];
  if (value === undefined)
    throw new Error(`scripts/reference/feature-matrix.ts does not know ${agent}. Add it.`);
  return value;
}
