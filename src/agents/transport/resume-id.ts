/** Which conversation of the agent's a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/**
 * Undefined for a new one. Whether it still exists, the agent says. Throws `conversation_lost` where there is no id, or
 * none that looks like one of the agent's.
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
