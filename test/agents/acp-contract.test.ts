/** What the presets of ACP agents declare, held to the contract of all adapters with the real programs behind them. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { PRESETS } from "../../src/agents/acp/presets.ts";
import { protocolOf } from "../../src/agents/acp/protocol.ts";
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
} from "../../src/testkit/scripted-model/index.ts";
import { ACP_AGENTS, type AcpAgentUnderTest, type AcpContract } from "./acp-agents.ts";
import { writeFiles } from "./agent-world.ts";
import { PIXEL } from "./picture.ts";

type HeldToContract = AcpAgentUnderTest & { readonly contract: AcpContract };

const HELD = ACP_AGENTS.filter((agent): agent is HeldToContract => agent.contract !== undefined);

/** Knows of no program. */
const NOWHERE: Programs = {
  find: async () => undefined,
  install: () => Promise.reject(new Error("not here")),
};

describe.each(HELD)("$name", ({ contract, ...agent }) => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-acp-contract-")));
  const [home, project] = [join(directory, "home"), join(directory, "project")];
  const made = join(project, "made.txt");
  let model: ScriptedModel;
  let processHost: ProcessHost;
  let programs: Programs;
  let environment: Record<string, string>;

  beforeAll(async () => {
    for (const path of [home, join(project, ".git")]) mkdirSync(path, { recursive: true });
    model = await startScriptedModel({
      scripts: {
        answer: [text("Hello.")],
        stream: [text(...Array.from({ length: 40 }, (_, index) => `word ${index} `))],
        endless: [text("I begin. "), hang("never")],
        command: [[agent.shell("echo made > made.txt")], [text("Then.")]],
        question: [[contract.question], [text("Thanks.")]],
      },
    });
    writeFiles(home, agent.files?.(model) ?? {});
    environment = {
      PATH: process.env.PATH ?? "",
      HOME: home,
      TMPDIR: directory,
      ...agent.environment(model),
    };
    processHost = createProcessHost({ daemonId: `${agent.name}-contract`, environment });
    programs = createPrograms({ processHost, dataDirectory: inject("installedAgents"), searchPath: "" });
  });

  afterAll(async () => {
    await processHost.close();
    await model.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const create = (found: Programs) =>
    protocolOf(PRESETS.find(({ name }) => name === agent.name)!).createAdapter({
      processHost,
      programs: found,
      environment: () => environment,
      directory: () => directory,
    });

  const hasHeard = (...words: string[]) =>
    model.requests.some(({ body }) => {
      const heard = JSON.stringify(body);
      return words.every((word) => heard.includes(word));
    });

  /** Whether the command was run; it is as if it had not been afterwards. */
  const isMade = () => {
    const exists = existsSync(made);
    rmSync(made, { force: true });
    return exists;
  };

  describeAdapterContract({
    name: agent.name,
    createAdapter: () => create(programs),
    connectOptions: () => ({ cwd: project, ...agent.session }),
    failure: () => ({ adapter: create(NOWHERE) }),
    adapterOptions: { files: true, terminals: true },
    sharesProcesses: contract.sharesProcesses,
    deadlineMs: 60_000,
    scenarios: {
      answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
      stream: { prompt: "[[stream]]" },
      endless: { prompt: "[[endless]]" },
      permission: { prompt: "[[command]]", isAllowed: isMade, isDenied: () => !isMade() },
      question: {
        prompt: "[[question]]",
        answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Blue"] } }),
        holds: () =>
          model.requests.some(({ body }) => JSON.stringify(body.messages).includes("[[question]]")),
      },
      slashCommand: {
        prompt: contract.slashCommand.prompt,
        holds: (run) => run.text.includes(contract.slashCommand.answer),
      },
      image: {
        prompt: "What is it? [[answer]]",
        files: [{ type: "file", url: `data:image/png;base64,${PIXEL}`, mediaType: "image/png" }],
        holds: () => hasHeard(PIXEL),
      },
      memory: {
        told: "The word is kestrel. [[answer]]",
        prompt: "Which word? [[answer]]",
        holds: () => hasHeard("kestrel", "Which word?"),
      },
      steering: { running: "[[endless]]", prompt: "look at kestrels too", holds: () => false },
      model: {
        model: contract.model.name,
        prompt: "[[answer]]",
        holds: () => model.requests.some(({ body }) => body.model === contract.model.isHeardAs),
      },
    },
  });
});
