/** The app-servers that run: one for each program and environment, shared by the sessions that have the same. */
import type { FoundProgram } from "../../core/program.ts";
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
import { processKey } from "./launch.ts";
import { API_KEYS, ENVIRONMENT_KEYS } from "./manifest.ts";
import type { CodexServer } from "./server.ts";
import { type StartOptions, startServer } from "./start-server.ts";

/** How long a process that no session uses is kept: somebody who closes one often opens the next. */
const LINGER_MS = 10_000;

type Variables = Readonly<Record<string, string>>;

export class CodexServers {
  readonly #pool = new SharedPool<CodexServer>({ lingerMs: LINGER_MS });
  readonly #means: AgentMeans;
  #lastStart: Promise<unknown> = Promise.resolve();

  constructor(means: AgentMeans) {
    this.#means = means;
  }

  /** With `own` on top of the environment. Rejects when Codex cannot be started. */
  async acquire(program: FoundProgram, own: Variables = {}): Promise<Lease<CodexServer>> {
    const environment = { ...ownVariables(this.#means.environment()), ...own };
    const apiKey = API_KEYS.map((name) => environment[name]).find((value) => value);
    let isNew = false;
    const lease = await this.#pool.acquire(processKey({ program, environment }), () => {
      isNew = true;
      return this.#start({ processHost: this.#means.processHost, program, environment, apiKey });
    });
    const { resource: server, release } = lease;
    if (isNew || (server.isSignedIn && (await server.isAlive()))) return lease;
    // Somebody may have signed in since it began, or it hangs. Its sessions take their conversations up in the next.
    release();
    await server.end();
    return this.acquire(program, own);
  }

  /** One after the other: two that begin at once in a new home get into each other's way, and one of them dies. */
  #start(options: StartOptions): Promise<CodexServer> {
    const begin = () => startServer(options);
    const started = this.#lastStart.then(begin, begin);
    this.#lastStart = started;
    return started;
  }
}

/** Its own part of an environment: the process has it anyway, and who shares a process has to have the same. */
function ownVariables(environment: NodeJS.ProcessEnv): Variables {
  const prefixes = ENVIRONMENT_KEYS.map((pattern) => pattern.slice(0, -1));
  const own = Object.entries(environment).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
