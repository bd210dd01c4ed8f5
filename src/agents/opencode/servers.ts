/** The running servers: one for each provider and environment, shared by sessions with equal ones. */
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
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

  acquire(options: LaunchOptions): Promise<Lease<OpenCodeServer>> {
    const start = () => startServer(this.#means.processHost, launch(options));
    return this.#pool.acquire(serverKey(options), start);
  }
}
