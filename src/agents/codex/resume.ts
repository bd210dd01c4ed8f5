/** Which of Codex's threads a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/** Undefined for a new one. Whether the thread still exists, Codex says when it is asked for. */
export function threadToResume({ resume, agentSessionId }: ConnectOptions): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined) return agentSessionId;
  throw new InterlinguaError(
    "conversation_lost",
    "Codex cannot resume a conversation without its id; connect without `resume` to begin a new one.",
  );
}
