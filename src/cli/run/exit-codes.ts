/** How the commands that talk with an agent end. */
import type { EventOf } from "../../sdk/index.ts";

/** An ask that nobody answered. */
export const NOT_ANSWERED = 3;
export const INTERRUPTED = 130;

export function exitCodeOf(outcome: EventOf<"turn.ended">["outcome"]): number {
  if (outcome === "completed") return 0;
  return outcome === "interrupted" ? INTERRUPTED : 1;
}
