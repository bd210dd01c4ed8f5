/** The first prompt after a stop, which not every agent hears. */
import type { AcpAgentUnderTest } from "./acp-agents.ts";
import type { AgentSession, Turn } from "./agent-session.ts";

/** Prompts again if the agent is known to pass over it, and did: then the log says that it ended without a word. */
export async function runAfterStop(
  agent: AcpAgentUnderTest,
  session: AgentSession,
  text: string,
): Promise<Turn> {
  const turn = await session.run(text);
  const isSilent = turn.events.some((event) => event.type === "notice" && event.code === "silent");
  return agent.missesPromptAfterStop && isSilent ? session.run(text) : turn;
}
