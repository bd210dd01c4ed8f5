/** AgentSmithy's protocol: its VS Code extension, and whatever else is written from its document. */
import { sessionUlid } from "../../core/session-ulid.ts";
import type { Dialect } from "../dialect.ts";
import { chatHandlers } from "./handlers/chat.ts";
import { configHandlers } from "./handlers/config.ts";
import { dialogHandlers } from "./handlers/dialogs.ts";
import { createDialogsDirectory } from "./handlers/dialogs-directory.ts";
import { healthHandlers } from "./handlers/health.ts";
import { historyHandlers } from "./handlers/history.ts";
import { toolResultHandlers } from "./handlers/tool-results.ts";
import { workspaceHandlers } from "./handlers/workspace.ts";
import type { SmithyMount } from "./mount.ts";
import { DIALECT_NAME } from "./name.ts";
import { ResponseView } from "./outbound.ts";
import { describeProblem } from "./problem.ts";
import { ResponsesView } from "./responses-view.ts";
import { createRoutes, type SmithyRoutes } from "./routes.ts";

const NO_KEYS: readonly string[] = [];

/** Mounted at a port of its own, its routes begin at the root. */
export function createAgentSmithy(
  given: Pick<SmithyMount, "prefix" | "keepsRunning">,
): Dialect<SmithyRoutes> {
  return {
    name: DIALECT_NAME,
    description: "AgentSmithy",
    path: given.prefix,
    routes: createRoutes(given.prefix),
    contentRoutes: ["sendSmithyMessage"],
    handlers(services) {
      const { name, workspace, keepRunning } = services.mount;
      const mount = {
        prefix: name === "port" ? "" : given.prefix,
        workspace,
        keepsRunning: given.keepsRunning ?? keepRunning,
      };
      const dialogs = createDialogsDirectory(services, mount);
      return {
        ...chatHandlers(services, dialogs, mount),
        ...dialogHandlers(services, dialogs),
        ...historyHandlers(services, dialogs, mount),
        ...workspaceHandlers(services, dialogs),
        ...toolResultHandlers(services, dialogs),
        ...configHandlers(services, dialogs, mount),
        ...healthHandlers(services),
      };
    },
    // A client that was cut off reads the history.
    view: {
      scope: "session",
      resume: "none",
      create: () => new ResponseView({ dialog: "" }),
      inspect: ({ id, createdAt, cwd }) => new ResponsesView({ dialog: sessionUlid(id, createdAt), cwd }),
    },
    keys: (event) => (event.type === "session.created" ? [sessionUlid(event.session, event.at)] : NO_KEYS),
    headers: { "x-request-id": "agentsmithy" },
    describeProblem,
  };
}

export const agentSmithy = createAgentSmithy({ prefix: "/agentsmithy" });
