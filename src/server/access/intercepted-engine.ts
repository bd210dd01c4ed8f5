/**
 * Interceptors of commands. From the outside in: the rights of a token (`limited-engine.ts`) or the workspace of a port
 * (`../dialect-port/workspace-engine.ts`), the audit log (`audited-engine.ts`), the cluster (`src/cluster/cluster-engine.ts`),
 * and the engine of this daemon. A refusal is noted at the node that was called. The server puts them together in
 * `../listen/http-server.ts`, `limited-dependencies.ts`, `limited-services.ts` and `../dialect-port/workspace-services.ts`.
 */
import type { Engine, RunCommand } from "../../engine/engine.ts";

/** The engine with another way to run commands. */
export function interceptedEngine(engine: Engine, run: RunCommand): Engine {
  return {
    run,
    follow: (...args) => engine.follow(...args),
    followAll: (...args) => engine.followAll(...args),
    health: () => engine.health(),
    stats: () => engine.stats(),
    close: () => engine.close(),
  };
}
