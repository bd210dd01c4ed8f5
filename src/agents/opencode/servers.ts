/** The servers that run: one for each provider and environment, shared by the sessions that have the same. */
import type { AgentMeans } from "../transport/define-protocol.ts";
import { type Lease, SharedPool } from "../transport/shared-pool.ts";
import { type LaunchOptions, launch, serverKey } from "./launch.ts";
import type { OpenCodeServer } from "./server.ts";
import { startServer } from "./start-server.ts";

/** Starting a server takes seconds: one that nobody uses waits this long for the next session. */
const LINGER_MS = 15_000;

export interface OpenCodeServers {
  acquire(options: LaunchOptions): Promise<Lease<OpenCodeServer>>;
}

export function createServers({ processHost }: AgentMeans): OpenCodeServers {
  const pool = new SharedPool<OpenCodeServer>({ lingerMs: LINGER_MS });
  return {
    acquire: (options) => pool.acquire(serverKey(options), () => startServer(processHost, launch(options))),
  };
}
