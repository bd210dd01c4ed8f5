/** Which of Amp's threads a connection takes up. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

/** Undefined for a new one. Whether it still exists, Amp says with the first turn. */
export function threadToResume({ resume, agentSessionId }: ConnectOptions): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined && /^T-[\w-]+$/.test(agentSessionId)) return agentSessionId;
  throw new InterlinguaError(
    "conversation_lost",
    "Amp cannot take up a thread without its id; connect without `resume` to begin a new one.",
  );
}
