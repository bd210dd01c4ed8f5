/** The command line: finds the command, runs it, and turns every failure into one line and an exit code. */
import { ConfigError } from "../config/config-error.ts";
import { packageVersion } from "../config/package-version.ts";
import { suggestWord } from "../core/suggest-word.ts";
import type { CliCommand } from "./command.ts";
import { COMMANDS, type CommandEntry, loadCommand } from "./commands.ts";
import { CALLED_WRONGLY, COMPLETED, FAILED } from "./exit-codes.ts";
import { explainError } from "./explain-error.ts";
import { commandHelp, familyHelp, overviewHelp } from "./help.ts";
import { leaveQuietlyOnBrokenPipe, print, printNote } from "./output.ts";
import { parseArguments } from "./parse-arguments.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Resolves with the exit code. `secrets` are variables that `bin/interlingua.js` took out of the environment of this
 * process.
 */
export async function main(
  words: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
): Promise<number> {
  leaveQuietlyOnBrokenPipe();
  const environment = { ...process.env, ...secrets };
  try {
    return await run(words, environment);
  } catch (error) {
    return report(error, words, environment);
  }
}

async function run(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [first, ...rest] = words;
  if (first === undefined || isHelpFlag(first)) return show(overviewHelp(COMMANDS));
  if (first === "--version" || first === "-v") return show(packageVersion());
  if (first === "help") return show(await helpFor(rest));
  // Asked by the scripts of `completion`.
  if (first === "__complete") return (await import("./completion/complete.ts")).complete(rest, environment);
  const family = familyOf(first);
  if (family.length > 0 && isHelpFlag(rest[0])) return show(familyHelp(first, family));
  const { entry, rest: own } = find(words);
  const command = await loadCommand(entry);
  const { help, ...given } = parseArguments(command, own);
  if (help) return show(helpOf(command));
  return command.run({ ...given, environment, cwd: process.cwd() });
}

async function helpFor(words: readonly string[]): Promise<string> {
  const [first, second] = words;
  if (first === undefined) return overviewHelp(COMMANDS);
  const family = familyOf(first);
  if (family.length > 0 && second === undefined) return familyHelp(first, family);
  return helpOf(await loadCommand(find(words).entry));
}

function isHelpFlag(word: string | undefined): boolean {
  return word === "--help" || word === "-h";
}

function helpOf(command: CliCommand): string {
  return commandHelp(command, startingWith(command.name));
}

/** The commands of a first word that is none itself, such as `token`. */
function familyOf(word: string): readonly CommandEntry[] {
  return COMMANDS.some(({ name }) => name === word) ? [] : startingWith(word);
}

function startingWith(word: string): readonly CommandEntry[] {
  return COMMANDS.filter(({ name }) => name.startsWith(`${word} `));
}

/** If two commands match, such as `asks` and `asks reply`, the longer name wins. */
function find(words: readonly string[]): { entry: CommandEntry; rest: readonly string[] } {
  const [first = "", second = ""] = words;
  const both = `${first} ${second}`;
  const longer = COMMANDS.find(({ name, alias }) => name === both || alias === both);
  if (longer) return { entry: longer, rest: words.slice(2) };
  const entry = COMMANDS.find(({ name }) => name === first);
  // What follows may be an argument, unless the command has none.
  if (entry && (entry.alias === undefined || second === "" || second.startsWith("-")))
    return { entry, rest: words.slice(1) };
  if (first.startsWith("-"))
    throw new UsageError(`Unknown flag ${first}. interlingua --help lists what there is.`);
  const family = startingWith(first).map(({ name }) => name);
  if (family.length > 0 && second === "")
    throw new UsageError(`${first} needs one more word: interlingua ${family.join(" or ")}.`);
  throw unknownCommand(family.length > 0 ? both : first);
}

function unknownCommand(typed: string): UsageError {
  const names = COMMANDS.flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]);
  const meant = suggestWord(typed, names);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return new UsageError(`Unknown command "${typed}".${hint} interlingua --help lists the commands.`);
}

function show(text: string): number {
  print(text);
  return COMPLETED;
}

function report(error: unknown, words: readonly string[], environment: NodeJS.ProcessEnv): number {
  const debug = Boolean(environment.INTERLINGUA_DEBUG);
  const given = { environment, hasUrlFlag: words.some((word) => /^--url(=|$)/.test(word)) };
  printNote(debug && error instanceof Error ? (error.stack ?? error.message) : explainError(error, given));
  return error instanceof UsageError || error instanceof ConfigError ? CALLED_WRONGLY : FAILED;
}
