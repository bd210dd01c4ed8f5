/** The exit codes of the command line: what each one says, as `run --help` prints it. */
import type { EventOf } from "../sdk/index.ts";
import { wrapText } from "./word-wrap.ts";

const HELP_COLUMNS = 110;

export const COMPLETED = 0;
export const FAILED = 1;
export const CALLED_WRONGLY = 2;
export const NOT_ANSWERED = 3;
/** As of `timeout`, which is known from shells. */
export const TIMED_OUT = 124;
export const INTERRUPTED = 130;
/** As of a process that SIGTERM ended. */
export const TERMINATED = 143;

const EXIT_CODES: readonly (readonly [code: number, sentence: string])[] = [
  [COMPLETED, "completed"],
  [FAILED, "failed"],
  [CALLED_WRONGLY, "called wrongly"],
  [NOT_ANSWERED, "an ask that nobody answered"],
  [TIMED_OUT, "stopped by --timeout"],
  [INTERRUPTED, "interrupted"],
  [TERMINATED, "stopped by SIGTERM"],
];

/** For the help of a command, in lines as long as those of other help texts. */
export function exitCodesText(): string {
  const codes = EXIT_CODES.map(([code, sentence]) => `${code} ${sentence}`);
  return wrapText(`Exit codes: ${codes.join(", ")}.`, HELP_COLUMNS);
}

export function exitCodeOf(outcome: EventOf<"turn.ended">["outcome"]): number {
  if (outcome === "completed") return COMPLETED;
  return outcome === "interrupted" ? INTERRUPTED : FAILED;
}

const STOPPED_HERE: ReadonlySet<number> = new Set([INTERRUPTED, TERMINATED, TIMED_OUT]);

/** A request that the daemon does not answer, such as that of a stop, would keep the process of somebody who left. */
export function endAtOnce(code: number): number {
  if (STOPPED_HERE.has(code)) process.exit(code);
  return code;
}
