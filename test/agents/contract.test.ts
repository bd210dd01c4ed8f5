/** The adapters of agents, held to the contract of all adapters, with the real programs behind them. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, inject } from "vitest";
import type { BackendAdapter } from "../../src/core/adapter.ts";
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
import { writeFiles } from "./agent-world.ts";
import { AGENTS } from "./agents.ts";
import { PIXEL } from "./picture.ts";

/** Knows of no program. */
const NOWHERE: Programs = {
  find: async () => undefined,
  install: () => Promise.reject(new Error("not here")),
};

describe.each(AGENTS)("$agent.name", ({ agent, tools, command, contract, ...table }) => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-contract-")));
  const [home, project, kept] = ["home", "project", "kept"].map((name) => join(directory, name)) as [
    string,
    string,
    string,
  ];
  let model: ScriptedModel;
  let processHost: ProcessHost;
  let programs: Programs;
  let environment: Record<string, string>;
  let oneForAll: BackendAdapter;

  beforeAll(async () => {
    for (const path of [home, project, kept]) mkdirSync(path);
    execFileSync("git", ["init", "--quiet", project]);
    if (command.file) writeFiles(project, { [command.file.path]: command.file.content });
    model = await startScriptedModel({
      choose: agent.choose,
      scripts: {
        answer: [text("Hello.")],
        command: [text("Hello.")],
        stream: [text(...Array.from({ length: 40 }, (_, index) => `word ${index} `))],
        endless: [text("I begin. "), hang("never")],
        write: [[tools.write(project).call], [text("Then.")]],
        question: [[tools.question], [text("Thanks.")]],
        work: contract.work(project),
        ...(contract.background && { background: contract.background() }),
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
    oneForAll = create(programs);
  });

  afterAll(async () => {
    await processHost.close();
    await model.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const create = (found: Programs) =>
    contract.createAdapter({ processHost, programs: found, environment, directory: kept });

  const lastInput = () => table.heard(model).input;
  const lastResult = () => table.heard(model).results.at(-1) ?? "";
  /** The file is as if it had not been written afterwards: some agents say something else when it exists. */
  const isAllowed = () => {
    rmSync(join(project, "a.txt"), { force: true });
    return contract.isAllowed(lastResult());
  };
  const [, other] = table.models;

  describeAdapterContract({
    name: agent.name,
    createAdapter: () => (contract.isOneForAll ? oneForAll : create(programs)),
    connectOptions: () => ({ cwd: project, ...contract.connectOptions }),
    failure: () =>
      agent.isBuiltIn ? { options: { cwd: join(directory, "nowhere") } } : { adapter: create(NOWHERE) },
    adapterOptions: contract.adapterOptions,
    permissionModes: contract.permissionModes,
    deadlineMs: 60_000,
    scenarios: {
      answer: { prompt: "[[answer]]", holds: (run) => run.text.includes("Hello.") },
      stream: { prompt: "[[stream]]" },
      endless: { prompt: "[[endless]]" },
      permission: {
        prompt: "[[write]]",
        isAllowed,
        isDenied: (run) => contract.isDenied(lastResult(), run),
        edited: {
          change: (input) => ({ ...input, content: "Edited by a person.\n" }),
          holds: () => {
            const written = readFileSync(join(project, "a.txt"), "utf8");
            rmSync(join(project, "a.txt"));
            return written === "Edited by a person.\n";
          },
        },
      },
      question: {
        prompt: "[[question]]",
        answer: ({ questions }) => ({ answers: { [questions![0]!.id]: ["Blue"] } }),
        holds: () => lastResult().includes("Blue"),
      },
      slashCommand: {
        prompt: contract.slashCommand.prompt,
        holds: (run) => contract.slashCommand.holds(run, lastInput()),
      },
      image: {
        prompt: "What is it? [[answer]]",
        files: [{ type: "file", url: `data:image/png;base64,${PIXEL}`, mediaType: "image/png" }],
        holds: () => lastInput().includes(table.pictureIsHeardAs),
      },
      memory: {
        told: "The word is kestrel. [[answer]]",
        prompt: "Which word? [[answer]]",
        holds: () => lastInput().includes("kestrel") && lastInput().includes("Which word?"),
      },
      steering: {
        running: "[[work]]",
        prompt: "look at kestrels too",
        holds: () => lastInput().includes("look at kestrels too"),
      },
      ...(contract.background && { background: { prompt: "[[background]]" } }),
      model: {
        model: other.name,
        prompt: "[[answer]]",
        holds: () => table.heard(model).model === other.isHeardAs,
      },
    },
  });
});
