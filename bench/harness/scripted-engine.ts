/** The real engine on a store, SQLite's unless told otherwise, with an agent in this process that says what it is given. */
import { setImmediate } from "node:timers/promises";
import type { AgentOutput } from "../../src/core/adapter.ts";
import type { EncodedEvent } from "../../src/core/encoded-event.ts";
import { createEngine } from "../../src/engine/create-engine.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openStore } from "../../src/store/open-store.ts";
import { ScriptedAdapter, type ScriptedSession } from "../../src/testkit/scripted-adapter.ts";
import { TESTER } from "../../src/testkit/tester.ts";

/** About as many lines as one read of a pipe brings. */
const LINES_PER_READ = 500;

export interface ScriptedEngineOptions {
  /** The address of a PostgreSQL database. */
  url: string;
  gathersCommits: boolean;
}

export class ScriptedEngine implements AsyncDisposable {
  readonly engine: Engine;
  readonly #adapter: ScriptedAdapter;
  readonly #close: () => Promise<void>;

  private constructor(engine: Engine, adapter: ScriptedAdapter, close: () => Promise<void>) {
    this.engine = engine;
    this.#adapter = adapter;
    this.#close = close;
  }

  static async open(target: string | ScriptedEngineOptions): Promise<ScriptedEngine> {
    const { gathersCommits, ...place } =
      typeof target === "string" ? { directory: target, gathersCommits: false } : target;
    const store = await openStore(place);
    const adapter = new ScriptedAdapter();
    // Under the mock's name, so that a daemon can serve what was made here.
    const engine = await createEngine({ store, agents: new Map([["mock", adapter]]), gathersCommits });
    return new ScriptedEngine(engine, adapter, async () => {
      await engine.close();
      await store.close();
    });
  }

  /** A new session in whose first turn the agent waits to be told what to say. */
  async startTurn(id: string): Promise<Talk> {
    const { promise: prompted, resolve } = Promise.withResolvers<ScriptedSession>();
    this.#adapter.onConnect = (session) => {
      session.onCommand = ({ type }) => type === "prompt" && resolve(session);
    };
    await this.engine.run("createSession", { id, agent: "mock", cwd: "/" }, TESTER);
    await this.engine.run(
      "prompt",
      { session: id, parts: [{ type: "text", text: "Tell me everything." }], whenBusy: "queue" },
      TESTER,
    );
    return new Talk(this.engine, id, await prompted);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

export class Talk {
  readonly #engine: Engine;
  readonly #id: string;
  readonly #session: ScriptedSession;

  constructor(engine: Engine, id: string, session: ScriptedSession) {
    this.#engine = engine;
    this.#id = id;
    this.#session = session;
  }

  say(output: AgentOutput): void {
    this.#session.output(output);
  }

  /** Says all of it as fast as it is read, and ends the turn. Resolves when everything is committed. */
  async sayAll(outputs: readonly AgentOutput[]): Promise<void> {
    const ended = this.#ended();
    for (let start = 0; start < outputs.length; start += LINES_PER_READ) {
      for (const output of outputs.slice(start, start + LINES_PER_READ)) this.say(output);
      await setImmediate();
    }
    this.#session.say({ type: "turn.ended", outcome: "completed" });
    await ended;
  }

  follow(listener: (events: readonly EncodedEvent[]) => void): { stop(): void } {
    return this.#engine.follow(this.#id, listener);
  }

  #ended(): Promise<void> {
    return new Promise((resolve) => {
      const follower = this.follow((events) => {
        if (!events.at(-1)!.json.includes('"type":"turn.ended"')) return;
        follower.stop();
        resolve();
      });
    });
  }
}
