/** How the commands that talk with an agent end. */
import type { EventOf } from "../../sdk/index.ts";

/** An ask that nobody answered. */
export const NOT_ANSWERED = 3;
export const INTERRUPTED = 130;
/** As of a process that SIGTERM ended. */
export const TERMINATED = 143;
/** As of `timeout`, which is known from shells. */
export const TIMED_OUT = 124;

export function exitCodeOf(outcome: EventOf<"turn.ended">["outcome"]): number {
  if (outcome === "completed") return 0;
  return outcome === "interrupted" ? INTERRUPTED : 1;
}

const STOPPED_HERE: ReadonlySet<number> = new Set([INTERRUPTED, TERMINATED, TIMED_OUT]);

/** A request that the daemon does not answer, such as that of a stop, would keep the process of somebody who left. */
export function endAtOnce(code: number): number {
  if (STOPPED_HERE.has(code)) process.exit(code);
  return code;
}
