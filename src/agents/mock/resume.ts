/** Which of the mock's conversations a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/** Undefined for a new one. Whether the conversation still exists, the mock says when it is opened. */
export function conversationToResume({ resume, agentSessionId }: ConnectOptions): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined) return agentSessionId;
  throw new InterlinguaError(
    "conversation_lost",
    "The mock cannot resume a conversation without its id; connect without `resume` to begin a new one.",
  );
}
