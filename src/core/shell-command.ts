/**
 * `/bin/bash -lc 'ls'` as a person would type it: `ls`. Anything that is not exactly that stays as it is, whatever looks like a
 * shell: what is not shown would run unseen. Pure.
 */

/** A program of any other name or place may do anything with what it is given. */
export const SHELL = "(?:/(?:usr/(?:local/)?)?bin/)?(?:ba|da|z)?sh";

const GIVEN = new RegExp(`^${SHELL} -l?c (?:'((?:[^']|'\\\\'')*)'|"((?:[^"\\\\]|\\\\.)*)")$`, "s");

/** Longer ones are shown as they are. */
const MAX_LENGTH = 20_000;

export function shellCommand(command: string): string {
  if (command.length > MAX_LENGTH) return command;
  const [, single, double] = GIVEN.exec(command) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'");
  return double?.replace(/\\(["\\$`])/g, "$1") ?? command;
}
