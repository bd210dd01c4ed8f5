/** Which of OpenCode's sessions a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/** Undefined for a new one. Whether it still exists, the server says. */
export function sessionToResume({ resume, agentSessionId }: ConnectOptions): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined && /^ses_\w+$/.test(agentSessionId)) return agentSessionId;
  throw new InterlinguaError(
    "conversation_lost",
    "OpenCode cannot take up a session without its id; connect without `resume` to begin a new one.",
  );
}
