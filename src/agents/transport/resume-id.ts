/** The conversation that a connection resumes. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/**
 * Undefined for a new one. The agent says whether it still exists. Throws `conversation_lost` where there is no id, or
 * one that does not look like the agent's.
 */
export function requireResumeId(
  agent: string,
  { resume, agentSessionId }: Pick<ConnectOptions, "resume" | "agentSessionId">,
  pattern?: RegExp,
): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined && (pattern?.test(agentSessionId) ?? true)) return agentSessionId;
  throw new InterlinguaError(
    "conversation_lost",
    `${agent} cannot resume a conversation without its id; connect without \`resume\` to begin a new one.`,
  );
}
