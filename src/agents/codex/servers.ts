/** The running app-servers: one for each program and environment, shared by sessions with equal ones. */
import type { ConnectOptions } from "../../core/adapter.ts";
import type { FoundProgram } from "../../core/program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
import { startLimit } from "../transport/start-limit.ts";
import { processKey } from "./launch.ts";
import { API_KEYS, ENVIRONMENT_KEYS } from "./manifest.ts";
import type { CodexServer } from "./server.ts";
import { type StartOptions, startServer } from "./start-server.ts";

/** How long a process that no session uses is kept: somebody who closes one often opens the next. */
const LINGER_MS = 10_000;

type Variables = Readonly<Record<string, string>>;

interface AcquireOptions {
  readonly own?: Variables;
  /** Stops the waiting. */
  readonly signal?: AbortSignal;
  /** See `ConnectOptions`. What is said in a start that others wait for, too, only the first of them gets. */
  readonly onStartRecord?: ConnectOptions["onStartRecord"];
}

export class CodexServers {
  readonly #pool = new SharedPool<CodexServer>({ lingerMs: LINGER_MS });
  readonly #means: AgentMeans;
  #lastStart: Promise<unknown> = Promise.resolve();

  constructor(means: AgentMeans) {
    this.#means = means;
  }

  /** With `own` on top of the environment. Rejects when Codex cannot be started, and when `signal` is aborted first. */
  async acquire(
    program: FoundProgram,
    { own = {}, signal: caller, onStartRecord }: AcquireOptions = {},
  ): Promise<Lease<CodexServer>> {
    const environment = { ...ownVariables(this.#means.environment()), ...own };
    const apiKey = API_KEYS.map((name) => environment[name]).find((value) => value);
    let isNew = false;
    const start = (signal: AbortSignal) => {
      isNew = true;
      const options = { processHost: this.#means.processHost, program, environment, apiKey, signal };
      return this.#start({ ...options, onStartRecord });
    };
    const lease = await this.#pool.acquire(processKey({ program, environment }), start, caller);
    const { resource: server, release } = lease;
    if (isNew || (server.isSignedIn && (await server.isAlive()))) return lease;
    // Somebody may have signed in since it started, or it hangs. Its sessions resume in the next one.
    release();
    await server.end();
    return this.acquire(program, { own, signal: caller, onStartRecord });
  }

  /** One at a time: two that start at once in a new home directory collide, and one of them dies. */
  #start(options: StartOptions): Promise<CodexServer> {
    const begin = async () => {
      using limit = startLimit("Codex", { signal: options.signal, ms: this.#means.startTimeoutMs });
      return await startServer({ ...options, signal: limit.signal });
    };
    const started = this.#lastStart.then(begin, begin);
    this.#lastStart = started;
    return started;
  }
}

/** The agent's own variables. Sessions share a process only if these are equal. */
function ownVariables(environment: NodeJS.ProcessEnv): Variables {
  const prefixes = ENVIRONMENT_KEYS.map((pattern) => pattern.slice(0, -1));
  const own = Object.entries(environment).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
