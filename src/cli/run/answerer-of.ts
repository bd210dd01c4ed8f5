/** Who answers here, by the flags and by who sits at the terminal. */
import type { Flags } from "../command.ts";
import { type Answerer, allowAll, denyAll, nobody } from "./answer-asks.ts";

/** @param person Asks at the terminal. */
export function answererOf(flags: Flags, person: Answerer): Answerer {
  if (flags.on("deny")) return denyAll;
  const other = isAtTerminal() ? person : nobody;
  if (!flags.on("yes")) return other;
  return async (ask, signal) => (await allowAll(ask, signal)) ?? other(ask, signal);
}

/** Whether a person can type, and sees what. */
export function isAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}
