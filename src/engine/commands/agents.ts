import type { agentCommands } from "../../protocol/commands/agents.ts";
import type { Implementations } from "./command-parts.ts";

export const agents: Implementations<keyof typeof agentCommands> = {
  async listAgents({ agents }) {
    return agents.all();
  },

  async getAgent({ agents, services }, { agent }) {
    const view = await agents.probe(agent);
    return { ...view, unread: services.counters.unread.of(agent) };
  },

  async installAgent({ assertOpen, agents, services }, { agent, onProgress }) {
    assertOpen();
    return agents.install(agent, services.programs, onProgress);
  },
};
