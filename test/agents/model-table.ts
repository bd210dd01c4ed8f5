/** The model agent in the shared suites. */
import { expect } from "vitest";
import { modelProtocols } from "../../src/agents/model/protocol.ts";
import { slow, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import type { AgentTable } from "./agent-table.ts";
import { AgentWorld } from "./agent-world.ts";
import { heardInMessages } from "./model-requests.ts";
import { PIXEL } from "./picture.ts";

const LARGE = "anthropic/claude-sonnet-4-5";
const SMALL = "anthropic/claude-haiku-4-5";

const trusted = { permissionMode: "bypass" };

const run = (command: string) => toolCall("run_command", { command });

function use(name: string, input: object, output: unknown) {
  return { call: toolCall(name, input), part: { type: `tool-${name}`, input, output } };
}

const read = (path: string, content: string) =>
  use("read_file", { path }, expect.objectContaining({ content: expect.stringContaining(content) }));

const written = (type: string) => expect.objectContaining({ type });

export const MODEL: AgentTable = {
  agent: {
    name: "model",
    isBuiltIn: true,
    environment: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-scripted" }),
  },
  world: (options) => AgentWorld.start(MODEL.agent, options),
  isShared: false,
  sessions: {
    asking: {},
    trusted,
    thinking: trusted,
    questioning: trusted,
  },
  models: [
    { name: LARGE, isHeardAs: "claude-sonnet-4-5" },
    { name: SMALL, isHeardAs: "claude-haiku-4-5" },
  ],
  trustedMode: "acceptEdits",
  tools: {
    write: () => use("write_to_file", { path: "a.txt", content: "A\n" }, written("write_file_result")),
    run,
    question: toolCall("ask_user", {
      question: "Which colour?",
      options: [
        { label: "Red", description: "Like a rose" },
        { label: "Blue", description: "Like the sky" },
      ],
    }),
    echo: use(
      "mcp__echo__echo",
      { text: "hello" },
      expect.objectContaining({ content: expect.stringContaining(": hello") }),
    ),
    loop() {
      const path = "notes.txt";
      const command = "cp notes.txt copy.txt && wc -l < copy.txt";
      const diff = "------- SEARCH\ntwo\n=======\nthree\n+++++++ REPLACE\n";
      return [
        use("write_to_file", { path, content: "one\ntwo\n" }, written("write_file_result")),
        read(path, "two"),
        use("replace_in_file", { path, diff }, written("replace_file_result")),
        {
          call: run(command),
          part: {
            type: "tool-run_command",
            input: { command },
            output: expect.objectContaining({ exit_code: 0, stdout: "2\n" }),
          },
        },
      ];
    },
    parallel() {
      const path = "missing.txt";
      const errorText = expect.stringContaining("does not exist");
      return [
        read("one.txt", "first"),
        {
          call: toolCall("read_file", { path }),
          part: { type: "tool-read_file", state: "output-error", input: { path }, errorText },
        },
        read("two.txt", "second"),
      ];
    },
  },
  heard: ({ requests }) => heardInMessages(requests.at(-1)!),
  pictureIsHeardAs: PIXEL,
  command: { prompt: "/greet Ada [[command]]", isHeardAs: "/greet Ada [[command]]" },
  errors: {
    lasting: [
      { status: 400, said: "no such effort", code: "request_refused", told: /answered 400: no such effort/ },
      {
        status: 401,
        said: "invalid x-api-key",
        code: "authentication_failed",
        told: /Anthropic at http:.*invalid x-api-key.*refused.*ANTHROPIC_API_KEY/,
      },
      {
        status: 404,
        said: "model: claude-x",
        code: "model_not_found",
        told: /does not know the model.*Choose another/,
      },
      { status: 429, said: "slow down", code: "rate_limited", told: /slow down.*later/ },
      { status: 500, said: "broken", code: "model_error", told: /answered 500: broken/ },
    ],
    tellsRetries: true,
  },
  forkIsTold: "history",
  contract: {
    createAdapter: ({ directory, environment, ...parts }) =>
      modelProtocols({ providers: {} })[0]!.createAdapter({
        ...parts,
        directory: () => directory,
        environment: () => environment,
      }),
    connectOptions: {},
    adapterOptions: { maxSteps: 50, compactAt: 100_000, instructions: "Be brief." },
    work: () => [
      [slow(100), text("I ", "work ", "for ", "a ", "while. "), toolCall("list_files", { path: "." })],
      [text("Worked.")],
    ],
    isAllowed: (result) => result.includes("write_file_result"),
    isDenied: (result) => !result.includes("write_file_result"),
    slashCommand: { prompt: "/compact", holds: (run) => run.of("compaction.ended").length > 0 },
  },
};
