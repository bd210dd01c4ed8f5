/** Whether the daemon works, as AgentSmithy's clients ask for it. */
import type { DialectHandlers, DialectServices } from "../../dialect.ts";
import type { SmithyRoutes } from "../routes.ts";

export function healthHandlers({
  engine,
  mount,
}: DialectServices): Pick<DialectHandlers<SmithyRoutes>, "getSmithyHealth"> {
  return {
    getSmithyHealth() {
      const { ok, problem } = engine.health();
      return {
        status: 200,
        body: {
          status: "ok",
          service: "agentsmithy-server",
          server_status: ok ? "ready" : "error",
          port: mount.port,
          pid: process.pid,
          server_error: problem ?? null,
          config_valid: true,
          config_errors: [],
        },
      };
    },
  };
}
