/**
 * All that a real agent needs and nothing else: a home and a project of its own, a scripted model on loopback, and a
 * daemon. When it is left, every session's log is looked through and no process may be left.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, inject } from "vitest";
import { type Daemon, type DaemonOptions, startDaemon } from "../../src/daemon.ts";
import { call, TOKEN } from "../../src/server/http-client-test-support.ts";
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "../../src/testkit/scripted-model/index.ts";
import type { ChatServer } from "../chat/stock-chat.test-support.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { AgentSession } from "./agent-session.ts";
import { expectSound } from "./expect-sound.ts";

const PROJECT = "project";

/** What of an agent a world depends on. */
export interface AgentUnderTest {
  readonly name: string;
  /** What it needs to reach the scripted model, and to leave the network alone. */
  environment(model: Pick<ScriptedModel, "url">): Record<string, string>;
  /** Files in its home: path → content. */
  files?(model: Pick<ScriptedModel, "url">): Record<string, string>;
  /** Which script a request of it gets; by its tag when absent. */
  readonly choose?: ScriptedModelOptions["choose"];
  /** It comes with Interlingua, and there is nothing to install. */
  readonly isBuiltIn?: boolean;
}

export interface WorldOptions {
  /** What the model says, given where the project is. */
  scripts?(project: string): NonNullable<ScriptedModelOptions["scripts"]>;
  readonly limits?: DaemonOptions["limits"];
  readonly agents?: DaemonOptions["agents"];
  /** On top of the agent's own; undefined takes one away. */
  readonly environment?: Record<string, string | undefined>;
  /** False: the agent is nowhere to be found. */
  readonly isInstalled?: boolean;
}

export class AgentWorld implements AsyncDisposable {
  readonly home: string;
  readonly project: string;
  readonly data: string;
  readonly model: ScriptedModel;
  /** The whole environment of the daemon. */
  readonly environment: Record<string, string>;
  readonly sessions: AgentSession[] = [];
  readonly #directory: string;
  readonly #agent: AgentUnderTest;
  readonly #options: WorldOptions;
  #sessionCount = 0;
  #daemon: Pick<Daemon, "url" | "close"> | undefined;

  private constructor(agent: AgentUnderTest, options: WorldOptions, directory: string, model: ScriptedModel) {
    this.#agent = agent;
    this.#options = options;
    this.#directory = directory;
    this.model = model;
    this.home = join(this.#directory, "home");
    this.project = join(this.#directory, PROJECT);
    this.data = join(this.#directory, "data");
    for (const directory of [this.home, this.project, this.data]) mkdirSync(directory);
    // Agents look for the top of the repository and keep their rules there.
    mkdirSync(join(this.project, ".git"));
    writeFiles(this.home, agent.files?.(model) ?? {});
    if (options.isInstalled !== false && !agent.isBuiltIn) this.#install();
    const given = { ...agent.environment(model), ...options.environment };
    const all = { PATH: process.env.PATH, HOME: this.home, TMPDIR: this.#directory, ...given };
    this.environment = Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  static async start(agent: AgentUnderTest, options: WorldOptions): Promise<AgentWorld> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-agents-")));
    const scripts = options.scripts?.(join(directory, PROJECT));
    const world = new AgentWorld(
      agent,
      options,
      directory,
      await startScriptedModel({ scripts, choose: agent.choose }),
    );
    await world.startDaemon();
    return world;
  }

  get url(): string {
    return this.#daemon!.url;
  }

  async startDaemon(options: Pick<DaemonOptions, "providers"> = {}): Promise<void> {
    const { limits, agents } = this.#options;
    const environment = this.environment;
    const roots = [this.project];
    const { data } = this;
    this.#daemon = await startDaemon({
      ...{ data, port: 0, token: TOKEN, roots, environment, agents, limits },
      ...options,
    });
  }

  /** A daemon in a process of its own, in place of the one there is. It can be killed. */
  async startDaemonProcess(): Promise<DaemonProcess> {
    await this.stopDaemon();
    const environment = { ...this.environment, INTERLINGUA_TOKEN: TOKEN };
    const daemon = await DaemonProcess.start(this.data, { environment, root: this.project });
    this.#daemon = { url: daemon.url, close: () => daemon.kill("SIGTERM") };
    return daemon;
  }

  async stopDaemon(): Promise<void> {
    await this.#daemon?.close();
    this.#daemon = undefined;
  }

  async session(fields: object = {}): Promise<AgentSession> {
    this.#sessionCount += 1;
    const session = await AgentSession.create(this, `s${this.#sessionCount}`, {
      agent: this.#agent.name,
      ...fields,
    });
    this.sessions.push(session);
    return session;
  }

  /** A copy of a session. */
  async fork(origin: AgentSession, fields: object): Promise<{ session: AgentSession; view: unknown }> {
    const { body } = await origin.call("POST", "/fork", fields);
    const session = await AgentSession.find(this, body.id);
    this.sessions.push(session);
    return { session, view: body };
  }

  /** The daemon as the stock client's tests know a server. */
  chatServer(): ChatServer {
    const { url } = this;
    return { server: { url }, call: (method, path, options) => call(url, method, path, options) };
  }

  /** Writes a file of the project and gives its path. */
  write(path: string, content: string): string {
    writeFiles(this.project, { [path]: content });
    return join(this.project, path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#daemon) for (const session of this.sessions) await expectSound(session);
      for (const session of this.sessions) session.close();
      await this.stopDaemon();
      expect(await leftoverProcesses(this.data), "processes left").toEqual([]);
    } finally {
      await this.stopDaemon();
      await this.model.close();
      rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  #install(): void {
    const { name } = this.#agent;
    mkdirSync(join(this.data, "agents"));
    symlinkSync(join(inject("installedAgents"), "agents", name), join(this.data, "agents", name));
  }
}

export function writeFiles(directory: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
