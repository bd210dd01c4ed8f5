/** The agents that the daemon has, asked for once. Which of them can be used is asked where one is chosen. */
import { createContext, type ReactNode, useContext } from "react";
import { daemon } from "../api/client.ts";
import type { AgentList } from "../api/types.ts";
import { useUntilAnswered } from "../api/use-until-answered.ts";

const RETRY_MS = 2000;

const AgentsContext = createContext<AgentList | undefined>(undefined);

export function AgentsProvider({ children }: { children: ReactNode }) {
  return <AgentsContext value={useUntilAnswered(readAgents, RETRY_MS)}>{children}</AgentsContext>;
}

/** Undefined until they are known. */
export function useAgents(): AgentList | undefined {
  return useContext(AgentsContext);
}

function readAgents(signal: AbortSignal): Promise<AgentList> {
  return daemon().call("GET /v1/agents", {}, signal);
}
