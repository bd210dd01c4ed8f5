/** Commands on the agents of this node. */
import type { InstallProgress } from "../../core/program.ts";
import { getAgent } from "../routes/service.ts";
import type { AgentView, InstalledAgent } from "./command-types.ts";
import { defineCommand, defineRouteCommand, readsHere } from "./define-command.ts";

export interface InstallInput {
  agent: string;
  onProgress?: (progress: InstallProgress) => void;
}

export const agentCommands = {
  listAgents: defineCommand<object, AgentView[]>(readsHere("service.read")),
  /** Probes the agent, with a cached result. Throws `agent_not_found` with the known names. */
  getAgent: defineRouteCommand(getAgent, readsHere("service.read")),
  /**
   * Installs an agent's program unless it is installed. Concurrent calls share one installation. Throws `install_failed`, and
   * `unsupported` for an agent with nothing to install.
   */
  installAgent: defineCommand<InstallInput, InstalledAgent>({
    rights: "agent.install",
    audit: ({ agent }) => ({ action: "agent.install", detail: agent }),
    forward: "here",
  }),
};
