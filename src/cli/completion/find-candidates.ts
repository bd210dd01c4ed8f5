/** What may stand at the end of a line that is being typed: commands, flags, and their values. */
import type { CliCommand, CommandOption } from "../command.ts";
import { COMMANDS, type CommandEntry, loadCommand } from "../commands.ts";

export interface Candidate {
  readonly word: string;
  readonly help?: string;
}

/** What the shell, the daemon or the data directory knows. */
export type Kind = "files" | "directories" | "sessions" | "checkpoints" | "agents" | "tokens";

export type Candidates = readonly Candidate[] | Kind;

/** The arguments that were typed after the name of the command, without flags. */
export async function typedArguments(words: readonly string[]): Promise<string[]> {
  const typed = words.slice(0, -1);
  const entry = entryOf(typed);
  return entry ? positionalsIn(await loadCommand(entry), typed.slice(entry.name.split(" ").length)) : [];
}

/** @param words Those after the name of the program; the last one is being typed. */
export async function findCandidates(words: readonly string[]): Promise<Candidates> {
  const typed = words.slice(0, -1);
  if (typed[0] === "help") return commandWords(typed.slice(1));
  const entry = entryOf(typed);
  if (!entry) return words.at(-1)?.startsWith("-") && typed.length === 0 ? GLOBAL_FLAGS : commandWords(typed);
  const command = await loadCommand(entry);
  const own = typed.slice(entry.name.split(" ").length);
  const value = valuesOf(command, own.at(-1));
  if (value) return value;
  if (words.at(-1)?.startsWith("-")) return flagsOf(command, own);
  const next = argumentOf(command, positionalsIn(command, own).length);
  // `sessions` is a command, and so is `sessions show`.
  return own.length === 0 && Array.isArray(next) ? [...commandWords(typed), ...next] : next;
}

function entryOf(typed: readonly string[]): CommandEntry | undefined {
  return [2, 1]
    .map((count) => COMMANDS.find(({ name }) => name === typed.slice(0, count).join(" ")))
    .find((found) => found !== undefined);
}

/** The next words of commands that begin so. */
function commandWords(typed: readonly string[]): Candidate[] {
  const helps = new Map<string, string>();
  for (const { name, summary } of COMMANDS) {
    const words = name.split(" ");
    if (words.length <= typed.length || typed.some((word, index) => word !== words[index])) continue;
    const word = words[typed.length]!;
    if (words.length === typed.length + 1) helps.set(word, summary);
    else if (!helps.has(word)) helps.set(word, "");
  }
  return [...helps].map(([word, help]) => ({ word, help }));
}

function flagsOf(command: CliCommand, own: readonly string[]): Candidate[] {
  const rest = Object.entries(command.options).filter(
    ([name, { multiple }]) => multiple || !own.includes(`--${name}`),
  );
  return [...rest.map(([name, { help }]) => ({ word: `--${name}`, help })), HELP];
}

const HELP: Candidate = { word: "--help", help: "Print help" };
const GLOBAL_FLAGS: readonly Candidate[] = [HELP, { word: "--version", help: "Print the version" }];

function valuesOf(command: CliCommand, previous = ""): Candidates | undefined {
  const option = optionOf(command, previous);
  if (option?.type !== "string") return undefined;
  if (option.values) return option.values.map((word) => ({ word }));
  return kindOf(previous.slice(2)) ?? kindOf(option.placeholder ?? "") ?? [];
}

function argumentOf({ positionals, name }: CliCommand, index: number): Candidates {
  const placeholder = (positionals[index] ?? "").replace(/^\[|\]$/g, "");
  if (placeholder === "FILE|SESSION") return "files";
  if (placeholder.includes("|")) return placeholder.split("|").map((word) => ({ word }));
  if (placeholder === "NAME" && name.startsWith("agents ")) return "agents";
  return kindOf(placeholder) ?? [];
}

/** By the name of a flag, or by a placeholder. */
function kindOf(name: string): Kind | undefined {
  return KINDS[name];
}

const KINDS: Readonly<Record<string, Kind>> = {
  agent: "agents",
  session: "sessions",
  SESSION: "sessions",
  CHECKPOINT: "checkpoints",
  TOKEN: "tokens",
  FILE: "files",
  DIRECTORY: "directories",
};

function positionalsIn(command: CliCommand, own: readonly string[]): string[] {
  return own.filter((word, index) => {
    const isValue = index > 0 && optionOf(command, own[index - 1]!)?.type === "string";
    return !isValue && !word.startsWith("-");
  });
}

function optionOf(command: CliCommand, word: string): CommandOption | undefined {
  if (!word.startsWith("--")) return undefined;
  const name = word.slice(2);
  return Object.hasOwn(command.options, name) ? command.options[name] : undefined;
}
