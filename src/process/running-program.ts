/** Which program a process runs: its executable, and for an interpreter the script as well. Pure. */
import { basename } from "node:path";

export interface RunningProgram {
  /** Equal for two processes that run the same. Only good for comparing. */
  readonly name: string;
  /** What it was given, without the script. */
  readonly args: readonly string[];
}

const INTERPRETER = /^(?:(?:a|ba|da|fi|k|z)?sh|busybox|env|node|nodejs|bun|deno|perl|php|python[\d.]*|ruby)$/;

/**
 * Undefined for an interpreter without a script: `node -e …` is no program that two processes have in common.
 * `findScript` gives the path of the file that an argument names, if it names one.
 */
export function runningProgram(
  executable: string,
  args: readonly string[],
  findScript: (argument: string) => string | undefined,
): RunningProgram | undefined {
  if (!INTERPRETER.test(basename(executable))) return { name: executable, args };
  const index = args.findIndex((argument) => !argument.startsWith("-"));
  const script = index < 0 ? undefined : findScript(args[index]!);
  return script === undefined ? undefined : { name: script, args: args.slice(index + 1) };
}
