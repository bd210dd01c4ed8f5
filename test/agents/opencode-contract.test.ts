/** The adapter of OpenCode, held to the contract of all adapters, with the real program behind it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { createOpenCodeAdapter } from "../../src/agents/opencode/adapter.ts";
import type { BackendAdapter } from "../../src/core/adapter.ts";
import type { Programs } from "../../src/core/program.ts";
import { createPrograms } from "../../src/install/local-programs.ts";
import { createProcessHost } from "../../src/process/local-process-host.ts";
import type { ProcessHost } from "../../src/process/process-host.ts";
import { describeAdapterContract } from "../../src/testkit/adapter-contract/index.ts";
import {
  hang,
  inPieces,
  type ScriptedModel,
  slow,
  startScriptedModel,
  text,
  toolCall,
} from "../../src/testkit/scripted-model/index.ts";
import { toolResults } from "./model-requests.ts";
import {
  chooseConversation,
  conversationRequests,
  MODEL,
  OTHER_MODEL,
  openCodeEnvironment,
} from "./opencode-world.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const QUESTION = {
  question: "Which colour?",
  header: "Colour",
  options: [
    { label: "Red", description: "Like a rose" },
    { label: "Green", description: "Like grass" },
  ],
};

const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-contract-")));
const project = join(directory, "project");
const command = join(project, ".opencode/command/greet.md");
let model: ScriptedModel;
let processHost: ProcessHost;
let programs: Programs;
/** One for all checks: its servers are started once. */
let adapter: BackendAdapter;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  for (const name of ["home", "project", "server", "project/.opencode/command"]) {
    mkdirSync(join(directory, name), { recursive: true });
  }
  execFileSync("git", ["init", "--quiet", project]);
  writeFileSync(command, "Greet $ARGUMENTS [[answer]]\n");
  model = await startScriptedModel({
    choose: chooseConversation,
    scripts: {
      answer: [text("Hello.")],
      stream: [text(...Array.from({ length: 40 }, (_, index) => `word ${index} `))],
      endless: [text("I begin. "), hang("never")],
      write: [[toolCall("write", { filePath: join(project, "a.txt"), content: "A" })], [text("Then.")]],
      question: [[toolCall("question", { questions: [QUESTION] })], [text("Thanks.")]],
      work: [
        [
          slow(150),
          text(...inPieces("I look at it for a while. ", 2)),
          toolCall("read", { filePath: command }),
        ],
        [text("Looked.")],
      ],
    },
  });
  environment = {
    PATH: process.env.PATH,
    HOME: join(directory, "home"),
    TMPDIR: directory,
    ...openCodeEnvironment(model),
  };
  processHost = createProcessHost({ daemonId: "opencode-contract", environment });
  programs = createPrograms({ processHost, dataDirectory: inject("installedAgents"), searchPath: "" });
  adapter = create();
});

afterAll(async () => {
  await processHost.close();
  await model.close();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});

const create = (found = programs) =>
  createOpenCodeAdapter({
    processHost,
    programs: found,
    serverDirectory: () => join(directory, "server"),
    environment: () => environment,
  });

const lastRequest = () => JSON.stringify(conversationRequests(model).at(-1)?.body.messages);
const lastResult = () => JSON.stringify(toolResults(conversationRequests(model).at(-1)!).at(-1));

describeAdapterContract({
  name: "opencode",
  createAdapter: () => adapter,
  connectOptions: () => ({ cwd: project, model: MODEL, permissionMode: "default" }),
  failure: () => ({
    adapter: create({ find: async () => undefined, install: () => Promise.reject(new Error("not here")) }),
  }),
  adapterOptions: { variant: "high" },
  deadlineMs: 60_000,
  scenarios: {
    answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
    stream: { prompt: "[[stream]]" },
    endless: { prompt: "[[endless]]" },
    permission: {
      prompt: "[[write]]",
      isAllowed: () => lastResult().includes("Wrote file successfully"),
      isDenied: ({ drafts }) =>
        drafts.some((draft) => draft.type === "tool.failed" && draft.error.includes("rejected")),
    },
    question: {
      prompt: "[[question]]",
      answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Green"] } }),
      holds: () => lastResult().includes("Green"),
    },
    slashCommand: { prompt: "/greet Ada", holds: () => lastRequest().includes("Greet Ada") },
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
      model: OTHER_MODEL,
      prompt: "[[answer]]",
      holds: () => conversationRequests(model).at(-1)?.model === "small",
    },
  },
});
