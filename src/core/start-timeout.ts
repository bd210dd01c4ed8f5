/** The one time limit for the start of an agent, and the error of an agent that exceeds it. */
import { InterlinguaError } from "./error.ts";

/** The default of `limits.connectTimeoutMs`. */
export const DEFAULT_START_TIMEOUT_MS = 120_000;

/** The agent is called by `agent`, at the beginning of a sentence. */
export function startTimeoutError(agent: string, ms: number): InterlinguaError {
  return new InterlinguaError(
    "agent_failed",
    `${agent} was not ready within ${ms / 1000} seconds. Try again, or raise limits.connectTimeoutMs (now ${ms}) in the config file.`,
  );
}
