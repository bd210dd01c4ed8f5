/** For tests: the model agent as the daemon has it, with a scripted model behind it, and nothing left afterwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import type { BackendAdapter } from "../../core/adapter.ts";
import type { AskAnswer } from "../../core/ask.ts";
import { checkLog } from "../../core/check-log.ts";
import type { ModelProviders, WebAccess } from "../../core/model-provider.ts";
import { createPrograms } from "../../install/local-programs.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from "../../testkit/scripted-model/index.ts";
import { type RunOptions, type SessionRun, startRun } from "../../testkit/session-run.ts";
import { createAgents } from "../registry.ts";

/** Tests start the program often. */
const COMPILE_CACHE = resolve("node_modules/.cache/node-compile-cache");

type Scripts = NonNullable<ScriptedModelOptions["scripts"]>;

interface ModelWorldOptions {
  readonly environment?: Record<string, string | undefined>;
  readonly providers?: ModelProviders;
  readonly web?: WebAccess;
}

export class ModelWorld implements AsyncDisposable {
  readonly project: string;
  readonly model: ScriptedModel;
  readonly environment: Record<string, string>;
  readonly #directory: string;
  readonly #host: ProcessHost;
  readonly #providers: ModelProviders;
  readonly #web: WebAccess | undefined;

  private constructor(
    directory: string,
    model: ScriptedModel,
    { environment = {}, providers = {}, web }: ModelWorldOptions,
  ) {
    this.#directory = directory;
    this.project = join(directory, "project");
    mkdirSync(this.project);
    this.model = model;
    this.#providers = providers;
    this.#web = web;
    const all = {
      PATH: process.env.PATH,
      HOME: directory,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "sk-ant-scripted",
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: "sk-scripted",
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_API_KEY: "scripted",
      OLLAMA_HOST: model.url,
      ...environment,
    };
    this.environment = Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    this.#host = createProcessHost({ daemonId: `model-test-${process.pid}`, environment: this.environment });
  }

  static async start(
    scripts: Scripts | ((project: string) => Scripts),
    options: ModelWorldOptions = {},
  ): Promise<ModelWorld> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-model-test-")));
    const written = typeof scripts === "function" ? scripts(join(directory, "project")) : scripts;
    const model = await startScriptedModel({ scripts: written });
    return new ModelWorld(directory, model, options);
  }

  adapter(name = "model"): BackendAdapter {
    const dataDirectory = join(this.#directory, "data");
    const programs = createPrograms({ processHost: this.#host, dataDirectory, searchPath: "" });
    return createAgents({
      processHost: this.#host,
      dataDirectory,
      programs,
      environmentOf: () => this.environment,
      models: { providers: this.#providers, web: this.#web },
    }).get(name)!;
  }

  run(options: Partial<RunOptions> = {}): Promise<SessionRun> {
    return startRun({ adapter: this.adapter(), cwd: this.project, ...options });
  }

  /** Plays one prompt in a session of its own, and checks the log. */
  async play(prompt: string, options: Partial<RunOptions> = {}): Promise<SessionRun> {
    const run = await this.run({ answer: allow, ...options });
    await run.turn(prompt);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    return run;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close();
    await this.model.close();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function allow(): AskAnswer {
  return { option: "allow" };
}

/** Call it at the top of a suite; the world is there once the tests run. */
export function withModel(...start: Parameters<typeof ModelWorld.start>): () => ModelWorld {
  let world: ModelWorld;
  beforeAll(async () => {
    world = await ModelWorld.start(...start);
  });
  afterAll(() => world[Symbol.asyncDispose]());
  return () => world;
}
