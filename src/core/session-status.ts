/** Session status: a fold over the log, never an event. */
import { nextPrompt, type SessionState } from "./session-state.ts";

export const SESSION_STATUSES = ["idle", "running", "waiting", "recovering", "failed", "closed"] as const;
/** What a session is doing. */
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/**
 * - `waiting`: a person has to answer.
 * - `recovering`: a prompt waits while the agent takes up an earlier conversation again.
 * - `failed`: the last turn failed and nothing runs; a new prompt is taken all the same.
 *
 * @example
 * sessionStatus(emptyState("demo")); // => "idle"
 */
export function sessionStatus(state: SessionState): SessionStatus {
  if (state.closed) return "closed";
  if (state.asks.size > 0) return "waiting";
  if (state.turn || state.restore) return "running";
  if (nextPrompt(state)) return !state.attached && state.agentSessionId ? "recovering" : "running";
  return state.lastOutcome === "failed" ? "failed" : "idle";
}
