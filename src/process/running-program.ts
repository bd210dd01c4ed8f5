/** Which program a process runs: its executable, or the script where that is an interpreter. Pure. */
import { basename } from "node:path";

export interface RunningProgram {
  /** Equal for processes that run the same program. Only for comparison. */
  readonly name: string;
  /** What it was given, without the script. */
  readonly args: readonly string[];
}

const SHELL = /^(?:(?:a|ba|da|fi|k|z)?sh|busybox|env)$/;

/** Also with a version: `node-22`, `php8.2`, `python3.12`. */
const INTERPRETER =
  /^(?:bun|deno|dotnet|java|lua|node|nodejs|perl|php|pwsh|pypy|python|ruby|tclsh)(?:-?\d[\d.]*)?$/;

/**
 * Undefined for an interpreter without a script: `node -e …` is no program that two processes have in common.
 * `findScript` gives the path of the file that an argument names, if it names one.
 */
export function runningProgram(
  executable: string,
  args: readonly string[],
  findScript: (argument: string) => string | undefined,
): RunningProgram | undefined {
  const name = basename(executable);
  if (!SHELL.test(name) && !INTERPRETER.test(name)) {
    // It may still be an interpreter: with another file it is another program.
    const file = args[0] === undefined || args[0].startsWith("-") ? undefined : findScript(args[0]);
    return { name: file === undefined ? executable : `${executable} ${file}`, args };
  }
  const index = args.findIndex((argument) => !argument.startsWith("-"));
  const script = index < 0 ? undefined : findScript(args[index]!);
  return script === undefined ? undefined : { name: script, args: args.slice(index + 1) };
}
