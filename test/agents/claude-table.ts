/** Claude Code in the shared suites. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { CAPABILITIES } from "../../src/agents/claude/manifest.ts";
import { protocol } from "../../src/agents/claude/protocol.ts";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import type { AgentTable } from "./agent-table.ts";
import { CLAUDE_AGENT, claudeWorld } from "./claude-world.ts";
import { heardInMessages } from "./model-requests.ts";
import { PIXEL } from "./picture.ts";

const QUESTION = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "Like a rose" },
    { label: "Blue", description: "Like the sky" },
  ],
};

const run = (command: string) => toolCall("Bash", { command, description: "Does it" });

function use(name: string, input: object, output: unknown) {
  return { call: toolCall(name, input), part: { type: `tool-${name}`, input, output } };
}

const read = (file_path: string, content: string) =>
  use("Read", { file_path }, expect.stringContaining(content));

export const CLAUDE: AgentTable = {
  agent: CLAUDE_AGENT,
  world: claudeWorld,
  isShared: false,
  sessions: {
    asking: {},
    trusted: { permissionMode: "acceptEdits", options: { allowedTools: ["Bash", "mcp__echo__echo"] } },
    thinking: { model: "claude-haiku-4-5" },
    questioning: {},
  },
  models: [
    { name: "claude-sonnet-4-5", isHeardAs: "claude-sonnet-4-5" },
    { name: "claude-haiku-4-5", isHeardAs: "claude-haiku-4-5" },
  ],
  trustedMode: "acceptEdits",
  tools: {
    write: (project) =>
      use(
        "Write",
        { file_path: join(project, "a.txt"), content: "A\n" },
        expect.stringContaining("created successfully"),
      ),
    run,
    question: toolCall("AskUserQuestion", { questions: [QUESTION] }),
    echo: use("mcp__echo__echo", { text: "hello" }, expect.stringContaining(": hello")),
    loop(project) {
      const file_path = join(project, "notes.txt");
      const command = "cp notes.txt copy.txt && wc -l < copy.txt";
      return [
        use("Write", { file_path, content: "one\ntwo\n" }, expect.stringContaining("created successfully")),
        read(file_path, "two"),
        use(
          "Edit",
          { file_path, old_string: "two", new_string: "three" },
          expect.stringContaining("updated successfully"),
        ),
        { call: run(command), part: { type: "tool-Bash", input: { command }, output: "2" } },
      ];
    },
    parallel(project) {
      const file_path = join(project, "missing.txt");
      const errorText = expect.stringContaining("does not exist");
      return [
        read(join(project, "one.txt"), "first"),
        {
          call: toolCall("Read", { file_path }),
          part: { type: "tool-Read", state: "output-error", input: { file_path }, errorText },
        },
        read(join(project, "two.txt"), "second"),
      ];
    },
  },
  heard: ({ requests }) => heardInMessages(requests.at(-1)!),
  pictureIsHeardAs: JSON.stringify({ type: "base64", media_type: "image/png", data: PIXEL }),
  command: {
    file: { path: ".claude/commands/greet.md", content: "Greet [[command]] $ARGUMENTS\n" },
    prompt: "/greet Ada",
    isHeardAs: "Greet [[command]] Ada",
  },
  subagent: {
    session: {},
    scripts: (project, last) => ({
      delegate: [
        [
          toolCall("Agent", {
            description: "Look around",
            prompt: "Read it [[look]]",
            subagent_type: "general-purpose",
          }),
        ],
        [text("I wait.")],
        last,
      ],
      look: [[toolCall("Read", { file_path: join(project, "one.txt") })], [text("The fact is 42.")]],
    }),
    call: { type: "tool-Agent", input: { prompt: "Read it [[look]]" } },
    parts: [
      { type: "tool-Read", state: "output-available", output: expect.stringContaining("first") },
      { type: "text", text: "The fact is 42." },
    ],
    reportsLater: true,
  },
  errors: {
    lasting: [
      {
        status: 401,
        said: "invalid x-api-key",
        code: "authentication_failed",
        told: /(invalid x-api-key|API key).*refused.*claude auth login/i,
      },
      { status: 429, said: "slow down", code: "rate_limited", told: /slow down|rate limit/i },
      { status: 500, said: "broken", code: "api_error", told: /broken|500/i },
    ],
    tellsRetries: false,
  },
  stopIsHeardAs: "[Request interrupted by user for tool use]",
  async untilWritten({ home }, words) {
    const pattern = join(home, ".claude/projects/**/*.jsonl");
    await until(() => globSync(pattern).some((file) => readFileSync(file, "utf8").includes(words)));
  },
  contract: {
    createAdapter: ({ directory, ...parts }) =>
      protocol.createAdapter({ ...parts, directory: () => directory, environment: () => ({}) }),
    connectOptions: { adapterOptions: { allowedTools: ["Bash"] } },
    adapterOptions: { allowedTools: ["Bash"], maxTurns: 20 },
    permissionModes: CAPABILITIES.permissionModes.filter(
      (mode) => mode !== "bypass" || process.getuid?.() !== 0,
    ),
    background: () => [
      [toolCall("Bash", { command: "sleep 300", description: "Waits", run_in_background: true })],
      [text("It runs.")],
      [text("It has ended.")],
    ],
    work: () => [[text("I work. "), run("sleep 0.5; sleep 0.6")], [text("Worked.")]],
    isAllowed: (result) => result.includes("created successfully"),
    isDenied: (result) => !result.includes("created successfully"),
    slashCommand: { prompt: "/cost", holds: ({ text: said }) => said !== "" },
  },
};
