/** The agents that the daemon has, asked for once. Which of them can be used is asked where one is chosen. */
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import { isUnauthorized } from "../api/error-text.ts";
import type { AgentList } from "../api/types.ts";

const RETRY_MS = 2000;

/** For tests of components; others use `AgentsProvider`. */
export const AgentsContext = createContext<AgentList | undefined>(undefined);

export function AgentsProvider({ children }: { children: ReactNode }) {
  return <AgentsContext value={useAgentList()}>{children}</AgentsContext>;
}

/** Undefined until they are known. */
export function useAgents(): AgentList | undefined {
  return useContext(AgentsContext);
}

/** Asks again until there is an answer. */
function useAgentList(): AgentList | undefined {
  const [list, setList] = useState<AgentList>();
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function load(): Promise<void> {
      try {
        setList(await daemon().call("GET /v1/agents", {}, controller.signal));
      } catch (error) {
        if (controller.signal.aborted || isUnauthorized(error)) return;
        timer = setTimeout(() => void load(), RETRY_MS);
      }
    }
    void load();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, []);
  return list;
}
