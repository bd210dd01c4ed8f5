/** Help texts, made from what the commands declare. */
import { packageVersion } from "../config/package-version.ts";
import type { CliCommand, CommandOption } from "./command.ts";
import { terminalWidth } from "./output.ts";
import { usageOf } from "./parse-arguments.ts";
import { wrapText } from "./word-wrap.ts";

/** A narrower column beside the names is worse than a line that the terminal breaks. */
const MIN_COLUMN = 24;

export function overviewHelp(commands: readonly Pick<CliCommand, "name" | "summary">[]): string {
  return [
    `Interlingua ${packageVersion()}: run any coding agent, speak to any client.`,
    "",
    "Usage: interlingua COMMAND [options]",
    "",
    "Commands:",
    ...columns(commands.map((command) => [command.name, command.summary])),
    "",
    "Options:",
    ...columns([
      ["-h, --help", "Print help, also for a command: interlingua COMMAND --help"],
      ["-v, --version", "Print the version"],
    ]),
    "",
    "INTERLINGUA_DEBUG=1 adds stack traces to errors.",
  ].join("\n");
}

/** Of commands that share their first word. */
export function familyHelp(word: string, commands: readonly Pick<CliCommand, "name" | "summary">[]): string {
  return [
    `Usage: interlingua ${word} COMMAND [options]`,
    "",
    "Commands:",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Options:",
    ...columns([["-h, --help", `Print help, also for a command: interlingua ${commands[0]?.name} --help`]]),
  ].join("\n");
}

/** @param family Commands that begin with its name, such as `sessions show`. */
export function commandHelp(
  command: CliCommand,
  family: readonly Pick<CliCommand, "name" | "summary">[] = [],
): string {
  const options = Object.entries(command.options);
  const variables = options.flatMap(([name, { variable }]) => (variable ? [[`--${name}`, variable]] : []));
  return [
    wrapText(`Usage: interlingua ${usageOf(command)}`, terminalWidth()),
    "",
    wrapText(command.summary, terminalWidth()),
    ...(command.details ? ["", paragraphs(command.details)] : []),
    "",
    "Options:",
    ...columns([
      ...options.map(([name, option]) => [flagOf(name, option), option.help]),
      ["-h, --help", "Print this help"],
    ]),
    ...(variables.length > 0 ? ["", "The same as environment variables:", ...columns(variables)] : []),
    ...(family.length > 0
      ? ["", "More commands:", ...columns(family.map(({ name, summary }) => [name, summary]))]
      : []),
  ].join("\n");
}

function flagOf(name: string, { type, placeholder = "VALUE", multiple }: CommandOption): string {
  if (type === "boolean") return `--${name}`;
  return `--${name} ${placeholder}${multiple ? " …" : ""}`;
}

/** Lines are joined before they are broken anew, but for those of a list and the one before it. */
function paragraphs(text: string): string {
  const width = terminalWidth();
  if (width === undefined) return text;
  const joined: string[] = [];
  for (const line of text.split("\n")) {
    const isJoined = !/^\s|^\w+: |^$/.test(line) && /^\S.*[^:]$/.test(joined.at(-1) ?? "");
    if (isJoined) joined.push(`${joined.pop()} ${line}`);
    else joined.push(line);
  }
  return wrapText(joined.join("\n"), width);
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const left = Math.max(...rows.map(([name = ""]) => name.length)) + 4;
  const room = (terminalWidth() ?? Infinity) - left;
  return rows.map(([name = "", help = ""]) => {
    const [first = "", ...more] = room >= MIN_COLUMN ? wrapText(help, room).split("\n") : [help];
    return [`  ${name.padEnd(left - 4)}  ${first}`, ...more.map((line) => " ".repeat(left) + line)].join(
      "\n",
    );
  });
}
