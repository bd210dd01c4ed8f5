/** Other names of agents, as clients of other services know them. Sessions have the agent's own name. */

const ALIASES: ReadonlyMap<string, string> = new Map([["claude-code", "claude"]]);

export const AGENT_ALIASES: readonly string[] = [...ALIASES.keys()];

/** The agent's own name. */
export function agentNameOf(given: string): string {
  return ALIASES.get(given) ?? given;
}
