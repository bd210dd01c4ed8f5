/** The app-servers that run: one for each program and environment, shared by the sessions that have the same. */
import type { FoundProgram } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
import { type CodexConnection, type StartOptions, startConnection } from "./connection.ts";
import { processKey } from "./launch.ts";
import { API_KEYS, ENVIRONMENT_KEYS } from "./manifest.ts";

/** How long a process that no session uses is kept: somebody who closes one often opens the next. */
const LINGER_MS = 10_000;

type Variables = Readonly<Record<string, string>>;

export interface CodexConnectionsOptions {
  readonly processHost: ProcessHost;
  /** The environment its processes begin with. Secret: for looking, not for logging. */
  environment(): NodeJS.ProcessEnv;
}

export class CodexConnections {
  readonly #pool = new SharedPool<CodexConnection>({ lingerMs: LINGER_MS });
  readonly #options: CodexConnectionsOptions;
  #lastStart: Promise<unknown> = Promise.resolve();

  constructor(options: CodexConnectionsOptions) {
    this.#options = options;
  }

  /** With `own` on top of the environment. Rejects when Codex cannot be started. */
  async acquire(program: FoundProgram, own: Variables = {}): Promise<Lease<CodexConnection>> {
    const environment = { ...ownVariables(this.#options.environment()), ...own };
    const apiKey = API_KEYS.map((name) => environment[name]).find((value) => value);
    let isNew = false;
    const lease = await this.#pool.acquire(processKey({ program, environment }), () => {
      isNew = true;
      return this.#start({ processHost: this.#options.processHost, program, environment, apiKey });
    });
    const { resource: connection, release } = lease;
    if (isNew || (connection.isSignedIn && (await connection.isAlive()))) return lease;
    // Somebody may have signed in since it began, or it hangs. Its sessions take their conversations up in the next.
    release();
    await connection.end();
    return this.acquire(program, own);
  }

  /** One after the other: two that begin at once in a new home get into each other's way, and one of them dies. */
  #start(options: StartOptions): Promise<CodexConnection> {
    const begin = () => startConnection(options);
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
