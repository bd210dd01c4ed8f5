/** `/bin/bash -lc 'ls'` as a person would type it: `ls`. Anything that is not exactly that stays as it is. Pure. */

const SHELL = /^\S*sh -l?c (?:'((?:[^']|'\\'')*)'|"((?:[^"\\]|\\.)*)")$/s;

/** Longer ones are shown as they are. */
const MAX_LENGTH = 20_000;

export function shellCommand(command: string): string {
  if (command.length > MAX_LENGTH) return command;
  const [, single, double] = SHELL.exec(command) ?? [];
  if (single !== undefined) return single.replaceAll("'\\''", "'");
  return double?.replace(/\\(["\\$`])/g, "$1") ?? command;
}
