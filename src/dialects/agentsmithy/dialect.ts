/** AgentSmithy's protocol: its VS Code extension, and whatever else is written from its document. */
import { sessionUlid } from "../../core/session-ulid.ts";
import type { Dialect } from "../dialect.ts";
import { chatHandlers } from "./handlers/chat.ts";
import { createDialogsDirectory } from "./handlers/dialogs-directory.ts";
import type { SmithyMount } from "./mount.ts";
import { DIALECT_NAME } from "./name.ts";
import { ResponseView } from "./outbound.ts";
import { createRoutes, type SmithyRoutes } from "./routes.ts";

export function createAgentSmithy({ prefix }: Pick<SmithyMount, "prefix">): Dialect<SmithyRoutes> {
  return {
    name: DIALECT_NAME,
    description: "AgentSmithy",
    path: prefix,
    routes: createRoutes(prefix),
    contentRoutes: ["sendSmithyMessage"],
    handlers(services) {
      const { name, workspace, keepRunning } = services.mount;
      const mount = { prefix: name === "port" ? "" : prefix, workspace, keepsRunning: keepRunning };
      const dialogs = createDialogsDirectory(services, mount);
      return { ...chatHandlers(services, dialogs, mount) };
    },
    // A client that was cut off reads the history.
    view: { scope: "session", resume: "none", create: () => new ResponseView({ dialog: "" }) },
    keys: (event) => (event.type === "session.created" ? [sessionUlid(event.session, event.at)] : []),
    headers: { "x-request-id": "agentsmithy" },
    describeProblem: ({ detail }) => ({
      body: JSON.stringify({ detail }),
      headers: { "content-type": "application/json" },
    }),
  };
}

export const agentSmithy = createAgentSmithy({ prefix: "/agentsmithy" });
