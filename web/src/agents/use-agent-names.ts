/** What people call the agents: `Claude Code`, not `claude`. */
import { useCallback } from "react";
import { useAgents } from "./use-agents.tsx";

/**
 * Of an agent that the daemon no longer has it gives the name that the session has.
 *
 * @example const nameOf = useAgentNames(); nameOf("claude") // "Claude Code"
 */
export function useAgentNames(): (agent: string) => string {
  const list = useAgents();
  return useCallback(
    (agent: string) => list?.agents.find(({ name }) => name === agent)?.title ?? agent,
    [list],
  );
}
