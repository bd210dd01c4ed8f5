/** Turns the words after a command's name into its flags and arguments, or says in one line what is wrong with them. */
import { parseArgs } from "node:util";
import { suggestWord } from "../core/suggest-word.ts";
import type { CliCommand, CommandOption, Flags } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export interface ParsedArguments {
  readonly help: boolean;
  readonly flags: Flags;
  readonly positionals: readonly string[];
}

export function parseArguments(command: CliCommand, words: readonly string[]): ParsedArguments {
  const { values, positionals, tokens } = parseArgs({
    args: [...words],
    options: {
      ...Object.fromEntries(
        Object.entries(command.options).map(([name, { type, multiple = false }]) => [
          name,
          { type, multiple },
        ]),
      ),
      help: { type: "boolean", short: "h" },
    },
    // The messages of strict mode name no remedy, and the library's way to have a value begin with a hyphen.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const help = values.help === true;
  if (!help) {
    for (const token of tokens) if (token.kind === "option") checkOption(command, token);
    checkPositionals(command, positionals);
  }
  return { help, flags: toFlags(values), positionals };
}

function checkOption(
  command: CliCommand,
  token: { name: string; rawName: string; value?: string; inlineValue?: boolean },
): void {
  const option = command.options[token.name] as CommandOption | undefined;
  if (!option) {
    const meant = suggestWord(token.name, Object.keys(command.options));
    const hint = meant === undefined ? "" : ` Did you mean --${meant}?`;
    throw new UsageError(
      `Unknown flag ${token.rawName}.${hint} interlingua ${command.name} --help lists the flags.`,
    );
  }
  if (option.type === "boolean") {
    if (token.value === undefined) return;
    throw new UsageError(`${token.rawName} takes no value. Write just ${token.rawName}.`);
  }
  // A forgotten value would swallow the next flag.
  if (token.value === undefined || (!token.inlineValue && token.value.startsWith("-"))) {
    throw new UsageError(
      `${token.rawName} needs a value: ${token.rawName} ${option.placeholder ?? "VALUE"}.`,
    );
  }
}

function checkPositionals(command: CliCommand, given: readonly string[]): void {
  const { name, positionals } = command;
  const extra = given[positionals.length];
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument "${extra}". Usage: interlingua ${usageOf(command)}`);
  }
  const missing = positionals[given.length];
  if (missing !== undefined && !missing.startsWith("[")) {
    throw new UsageError(`${name} needs ${missing}. Usage: interlingua ${usageOf(command)}`);
  }
}

/** `tail SESSION [options]` */
export function usageOf({ name, positionals }: CliCommand): string {
  return [name, ...positionals, "[options]"].join(" ");
}

function toFlags(values: Readonly<Record<string, unknown>>): Flags {
  return {
    values,
    text: (name) => values[name] as string | undefined,
    on: (name) => values[name] === true,
  };
}
