/** The adapter of Claude Code, held to the contract of all adapters, with the real program behind it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { createClaudeAdapter } from "../../src/agents/claude/adapter.ts";
import { CAPABILITIES } from "../../src/agents/claude/manifest.ts";
import type { Programs } from "../../src/core/program.ts";
import { createPrograms } from "../../src/install/local-programs.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { describeAdapterContract } from "../../src/testkit/adapter-contract/index.ts";
import {
  hang,
  type ScriptedModel,
  startScriptedModel,
  text,
  toolCall,
} from "../../src/testkit/scripted-model/index.ts";
import { claudeEnvironment } from "./claude-world.ts";
import { toolResults } from "./model-requests.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const QUESTION = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "Like a rose" },
    { label: "Green", description: "Like grass" },
  ],
};

const directory = mkdtempSync(join(tmpdir(), "interlingua-contract-"));
const project = join(directory, "project");
let model: ScriptedModel;
let processHost: ProcessHost;
let programs: Programs;

beforeAll(async () => {
  for (const name of ["home", "project", "project/.git"]) mkdirSync(join(directory, name));
  model = await startScriptedModel({
    scripts: {
      answer: [text("Hello.")],
      stream: [text(...Array.from({ length: 40 }, (_, index) => `word ${index} `))],
      endless: [text("I begin. "), hang("never")],
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Then.")]],
      question: [[toolCall("AskUserQuestion", { questions: [QUESTION] })], [text("Thanks.")]],
      work: [
        [text("I work. "), toolCall("Bash", { command: "sleep 0.5; sleep 0.6", description: "Work" })],
        [text("Worked.")],
      ],
    },
  });
  const environment = {
    PATH: process.env.PATH,
    HOME: join(directory, "home"),
    TMPDIR: directory,
    ...claudeEnvironment(model),
  };
  processHost = createProcessHost({ daemonId: "claude-contract", environment });
  programs = createPrograms({ processHost, dataDirectory: inject("installedAgents"), searchPath: "" });
});

afterAll(async () => {
  await processHost.close();
  await model.close();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

const create = (found = programs) =>
  createClaudeAdapter({ processHost, programs: found, environment: () => ({}) });

const lastRequest = () => JSON.stringify(model.requests.at(-1)?.body.messages);
const lastResult = () => JSON.stringify(toolResults(model.requests.at(-1)!).at(-1));

describeAdapterContract({
  name: "claude",
  createAdapter: () => create(),
  connectOptions: () => ({ cwd: project, adapterOptions: { allowedTools: ["Bash"] } }),
  failure: () => ({
    adapter: create({ find: async () => undefined, install: () => Promise.reject(new Error("not here")) }),
  }),
  adapterOptions: { allowedTools: ["Bash"], maxTurns: 20 },
  permissionModes: CAPABILITIES.permissionModes.filter(
    (mode) => mode !== "bypass" || process.getuid?.() !== 0,
  ),
  deadlineMs: 60_000,
  scenarios: {
    answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
    stream: { prompt: "[[stream]]" },
    endless: { prompt: "[[endless]]" },
    permission: {
      prompt: "[[write]]",
      isAllowed: () => lastResult().includes("created successfully"),
      isDenied: () => !lastResult().includes("created successfully"),
    },
    question: {
      prompt: "[[question]]",
      answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Green"] } }),
      holds: () => lastResult().includes("Green"),
    },
    slashCommand: { prompt: "/cost", holds: (run) => run.text !== "" },
    image: {
      prompt: "What is it? [[answer]]",
      files: [{ type: "file", url: `data:image/png;base64,${PIXEL}`, mediaType: "image/png" }],
      holds: () => lastRequest().includes(PIXEL),
    },
    memory: {
      told: "The word is kestrel. [[answer]]",
      prompt: "Which word? [[answer]]",
      holds: () => lastRequest().includes("kestrel") && lastRequest().includes("Which word?"),
    },
    steering: {
      running: "[[work]]",
      prompt: "look at kestrels too",
      holds: () => lastRequest().includes("look at kestrels too"),
    },
    model: {
      model: "claude-haiku-4-5",
      prompt: "[[answer]]",
      holds: () => model.requests.at(-1)?.model === "claude-haiku-4-5",
    },
  },
});
