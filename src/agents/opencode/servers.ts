/** The running servers: one for each provider and environment, shared by sessions with equal ones. */
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
import { startLimit } from "../transport/start-limit.ts";
import { type LaunchOptions, launch, serverKey } from "./launch.ts";
import type { OpenCodeServer } from "./server.ts";
import { startServer } from "./start-server.ts";

/** Starting a server takes seconds: one that nobody uses waits this long for the next session. */
const LINGER_MS = 15_000;

export class OpenCodeServers {
  readonly #pool = new SharedPool<OpenCodeServer>({ lingerMs: LINGER_MS });
  readonly #means: AgentMeans;

  constructor(means: AgentMeans) {
    this.#means = means;
  }

  /** Rejects when the server cannot be started, and when the signal of `connect` is aborted first. */
  acquire(options: LaunchOptions): Promise<Lease<OpenCodeServer>> {
    const { processHost, startTimeoutMs: ms } = this.#means;
    const start = async (signal: AbortSignal) => {
      using limit = startLimit("OpenCode", { signal, ms });
      return await startServer(processHost, launch(options), {
        signal: limit.signal,
        onStartRecord: options.connect.onStartRecord,
      });
    };
    return this.#pool.acquire(serverKey(options), start, options.connect.signal);
  }
}
