/** The adapter of Codex, held to the contract of all adapters, with the real program behind it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { createCodexAdapter } from "../../src/agents/codex/adapter.ts";
import type { Programs } from "../../src/core/program.ts";
import { createPrograms } from "../../src/install/local-programs.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { describeAdapterContract } from "../../src/testkit/adapter-contract/index.ts";
import {
  freeformToolCall,
  hang,
  type ScriptedModel,
  startScriptedModel,
  text,
  toolCall,
} from "../../src/testkit/scripted-model/index.ts";
import { codexConfig } from "./codex-world.ts";
import { callResults } from "./model-requests.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const QUESTION = {
  id: "colour",
  header: "Colour",
  question: "Which colour?",
  options: [
    { label: "Red (Recommended)", description: "Like a rose" },
    { label: "Green", description: "Like grass" },
  ],
};

const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+A\n*** End Patch";

const directory = mkdtempSync(join(tmpdir(), "interlingua-contract-"));
const project = join(directory, "project");
let model: ScriptedModel;
let processHost: ProcessHost;
let programs: Programs;
let environment: Record<string, string>;

beforeAll(async () => {
  for (const name of ["home", "home/.codex", "project", "project/.git"]) mkdirSync(join(directory, name));
  model = await startScriptedModel({
    scripts: {
      answer: [text("Hello.")],
      stream: [text(...Array.from({ length: 40 }, (_, index) => `word ${index} `))],
      endless: [text("I begin. "), hang("never")],
      write: [[freeformToolCall("apply_patch", PATCH)], [text("Then.")]],
      question: [[toolCall("request_user_input", { questions: [QUESTION] })], [text("Thanks.")]],
      work: [[text("I work. "), toolCall("exec_command", { cmd: "sleep 1.1" })], [text("Worked.")]],
    },
  });
  writeFileSync(
    join(directory, "home/.codex/config.toml"),
    `${codexConfig(model)}default_mode_request_user_input = true\n`,
  );
  environment = {
    PATH: process.env.PATH ?? "",
    HOME: join(directory, "home"),
    TMPDIR: directory,
    OPENAI_API_KEY: "sk-scripted",
  };
  processHost = createProcessHost({ daemonId: "codex-contract", environment });
  programs = createPrograms({ processHost, dataDirectory: inject("installedAgents"), searchPath: "" });
});

afterAll(async () => {
  await processHost.close();
  await model.close();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

const create = (found = programs) =>
  createCodexAdapter({ processHost, programs: found, environment: () => environment });

const lastRequest = () => JSON.stringify(model.requests.at(-1)?.body.input);
const lastResult = () => callResults(model.requests.at(-1)!).at(-1) ?? "";

describeAdapterContract({
  name: "codex",
  createAdapter: () => create(),
  connectOptions: () => ({ cwd: project, permissionMode: "default" }),
  failure: () => ({
    adapter: create({ find: async () => undefined, install: () => Promise.reject(new Error("not here")) }),
  }),
  adapterOptions: { effort: "low", config: { "tools.update_plan.enabled": true } },
  deadlineMs: 60_000,
  scenarios: {
    answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
    stream: { prompt: "[[stream]]" },
    endless: { prompt: "[[endless]]" },
    permission: {
      prompt: "[[write]]",
      isAllowed: () => lastResult().includes("Success"),
      isDenied: () => lastResult().includes("rejected"),
    },
    question: {
      prompt: "[[question]]",
      answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Green"] } }),
      holds: () => lastResult().includes("Green"),
    },
    slashCommand: { prompt: "/status [[answer]]", holds: () => !lastRequest().includes("/status") },
    image: {
      prompt: "What is it? [[answer]]",
      files: [{ type: "file", url: `data:image/png;base64,${PIXEL}`, mediaType: "image/png" }],
      holds: () => lastRequest().includes("data:image/png;base64,"),
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
      model: "gpt-5.4",
      prompt: "[[answer]]",
      holds: () => model.requests.at(-1)?.model === "gpt-5.4",
    },
  },
});
