/** OpenCode in the shared suites. */
import { join } from "node:path";
import { expect } from "vitest";
import { protocol } from "../../src/agents/opencode/protocol.ts";
import { inPieces, slow, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import type { AgentTable } from "./agent-table.ts";
import { heardInMessages } from "./model-requests.ts";
import { conversationRequests, MODEL, OPENCODE_AGENT, OTHER_MODEL, openCodeWorld } from "./opencode-world.ts";
import { PIXEL } from "./picture.ts";

const QUESTION = {
  question: "Which colour?",
  header: "Colour",
  options: [
    { label: "Red", description: "Like a rose" },
    { label: "Blue", description: "Like the sky" },
  ],
};

/** With a model, so that one server will do. */
const trusted = { model: MODEL, permissionMode: "bypass" };

const run = (command: string) => toolCall("bash", { command, description: "Does it" });

function use(name: string, input: object, output: unknown) {
  return { call: toolCall(name, input), part: { type: `tool-${name}`, input, output } };
}

const read = (filePath: string, content: string) =>
  use("read", { filePath }, expect.stringContaining(content));

export const OPENCODE: AgentTable = {
  agent: OPENCODE_AGENT,
  world: openCodeWorld,
  isShared: true,
  sessions: {
    asking: { model: MODEL, permissionMode: "default" },
    trusted,
    thinking: trusted,
    questioning: trusted,
  },
  models: [
    { name: MODEL, isHeardAs: "large" },
    { name: OTHER_MODEL, isHeardAs: "small" },
  ],
  trustedMode: "bypass",
  tools: {
    write: (project) =>
      use("write", { filePath: join(project, "a.txt"), content: "A\n" }, "Wrote file successfully."),
    run,
    question: toolCall("question", { questions: [QUESTION] }),
    echo: use("echo_echo", { text: "hello" }, expect.stringContaining(": hello")),
    loop(project) {
      const filePath = join(project, "notes.txt");
      const command = "cp notes.txt copy.txt && wc -l < copy.txt";
      return [
        use("write", { filePath, content: "one\ntwo\n" }, "Wrote file successfully."),
        read(filePath, "two"),
        use("edit", { filePath, oldString: "two", newString: "three" }, "Edit applied successfully."),
        { call: run(command), part: { type: "tool-bash", input: { command }, output: "2\n" } },
      ];
    },
    parallel(project) {
      const filePath = join(project, "missing.txt");
      const errorText = expect.stringContaining("File not found");
      return [
        read(join(project, "one.txt"), "first"),
        {
          call: toolCall("read", { filePath }),
          part: { type: "tool-read", state: "output-error", input: { filePath }, errorText },
        },
        read(join(project, "two.txt"), "second"),
      ];
    },
  },
  heard: (model) => heardInMessages(conversationRequests(model).at(-1)!),
  pictureIsHeardAs: PIXEL,
  command: {
    file: { path: ".opencode/command/greet.md", content: "Greet $ARGUMENTS [[command]]\n" },
    prompt: "/greet Ada",
    isHeardAs: "Greet Ada [[command]]",
  },
  subagent: {
    session: trusted,
    scripts: (project, last) => ({
      delegate: [
        [
          toolCall("task", {
            description: "Look around",
            prompt: "Read it [[look]]",
            subagent_type: "general",
          }),
        ],
        last,
      ],
      look: [[toolCall("read", { filePath: join(project, "one.txt") })], [text("The fact is 42.")]],
    }),
    call: {
      type: "tool-task",
      input: { prompt: "Read it [[look]]" },
      output: expect.stringContaining("The fact is 42."),
    },
    parts: [
      { type: "tool-read", state: "output-available", output: expect.stringContaining("first") },
      { type: "text", text: "The fact is 42." },
    ],
    reportsLater: false,
  },
  errors: {
    lasting: [
      { status: 400, said: "no such effort", code: "model_error", told: /no such effort/ },
      {
        status: 401,
        said: "invalid x-api-key",
        code: "authentication_failed",
        told: /x-api-key.*refused.*opencode auth login/,
      },
    ],
    neverGivesUp: true,
    tellsRetries: true,
  },
  contract: {
    createAdapter: ({ directory, environment, ...parts }) =>
      protocol.createAdapter({ ...parts, directory: () => directory, environment: () => environment }),
    isOneForAll: true,
    connectOptions: { model: MODEL, permissionMode: "default" },
    adapterOptions: { variant: "high" },
    work: (project) => [
      [
        slow(150),
        text(...inPieces("I look at it for a while. ", 2)),
        toolCall("read", { filePath: join(project, ".opencode/command/greet.md") }),
      ],
      [text("Looked.")],
    ],
    isAllowed: (result) => result.includes("Wrote file successfully"),
    isDenied: (_, { drafts }) =>
      drafts.some((draft) => draft.type === "tool.failed" && draft.error.includes("rejected")),
    slashCommand: { prompt: "/greet Ada", holds: (_, input) => input.includes("Greet Ada") },
  },
};
