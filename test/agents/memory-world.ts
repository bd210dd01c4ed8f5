/**
 * Nodes that share a PostgreSQL, a project and a scripted model, and nothing else: each has a home and a data directory of its
 * own, with the agent installed in it.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "../../src/testkit/scripted-model/index.ts";
import { eventsAt, startNode, type TestNode } from "../cluster/start-node.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";
import { type AgentUnderTest, writeFiles } from "./agent-world.ts";

const SESSION = "s";

/** A node with where it lies, so that it can be started again there. */
export interface Place {
  readonly home: string;
  readonly data: string;
}

export class MemoryWorld implements AsyncDisposable {
  readonly model: ScriptedModel;
  readonly #agent: AgentUnderTest;
  readonly #postgres: TestPostgres;
  readonly #directory: string;
  readonly #project: string;
  readonly #store: string;
  readonly #nodes: TestNode[] = [];
  #places = 0;
  #prompts = 0;

  private constructor(
    agent: AgentUnderTest,
    parts: { model: ScriptedModel; postgres: TestPostgres; directory: string; store: string },
  ) {
    this.#agent = agent;
    this.model = parts.model;
    this.#postgres = parts.postgres;
    this.#directory = parts.directory;
    this.#store = parts.store;
    this.#project = join(parts.directory, "project");
    mkdirSync(join(this.#project, ".git"), { recursive: true });
  }

  static async start(
    agent: AgentUnderTest,
    scripts: NonNullable<ScriptedModelOptions["scripts"]>,
  ): Promise<MemoryWorld> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-memory-")));
    const postgres = await startPostgres();
    const store = await postgres.createDatabase();
    const model = await startScriptedModel({ scripts, choose: agent.choose });
    return new MemoryWorld(agent, { model, postgres, directory, store });
  }

  place(): Place {
    this.#places += 1;
    const place = {
      home: join(this.#directory, `home${this.#places}`),
      data: join(this.#directory, `data${this.#places}`),
    };
    const { name, isBuiltIn, files } = this.#agent;
    mkdirSync(place.home);
    mkdirSync(join(place.data, "agents"), { recursive: true, mode: 0o700 });
    writeFiles(place.home, files?.(this.model) ?? {});
    // A directory of its own, in which only the program is that of others.
    if (!isBuiltIn) {
      mkdirSync(join(place.data, "agents", name));
      const program = join(inject("installedAgents"), "agents", name, "program");
      symlinkSync(program, join(place.data, "agents", name, "program"));
    }
    return place;
  }

  async node({ home, data }: Place = this.place()): Promise<TestNode> {
    const environment = { HOME: home, TMPDIR: this.#directory, ...this.#agent.environment(this.model) };
    const node = await startNode({ data, root: this.#project, store: this.#store, environment });
    this.#nodes.push(node);
    return node;
  }

  async create({ client }: TestNode, fields: object): Promise<void> {
    await client.call("POST", `/v1/sessions/${SESSION}`, {
      agent: this.#agent.name,
      cwd: this.#project,
      ...fields,
    });
  }

  /** Prompts at a node as soon as it may have the session. */
  async begin(node: TestNode, text: string): Promise<string> {
    this.#prompts += 1;
    const message = `m${this.#prompts}`;
    await eventually("the prompt is taken", async () => {
      const body = { text, id: message };
      return (await node.client.request("POST", `/v1/sessions/${SESSION}/messages`, body)).status === 202;
    });
    return message;
  }

  /** Prompts, and gives what is in the log from there to the turn's end. */
  async run(node: TestNode, text: string): Promise<SessionEvent[]> {
    const message = await this.begin(node, text);
    let events: SessionEvent[] = [];
    await eventually(
      "the turn has ended",
      async () => {
        events = await eventsAt(node, SESSION);
        const isOfPrompt = (event: SessionEvent) =>
          event.type === "prompt.dispatched" && event.message === message;
        const begun = events.findIndex(isOfPrompt);
        return begun >= 0 && events.slice(begun).some(({ type }) => type === "turn.ended");
      },
      60_000,
    );
    expect(checkLog(events, { complete: true })).toEqual([]);
    return events.slice(
      events.findIndex((event) => event.type === "prompt.accepted" && event.message === message),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const node of this.#nodes) node.kill("SIGKILL");
    await Promise.all(this.#nodes.map(({ ended }) => ended));
    for (const node of this.#nodes)
      await eventually("its agents are gone", async () => (await node.agents()).length === 0);
    await this.model.close();
    await this.#postgres[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
