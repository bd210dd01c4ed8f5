/** Help texts, made from what the commands declare. */
import { packageVersion } from "../config/package-version.ts";
import type { CliCommand, CommandOption } from "./command.ts";
import { usageOf } from "./parse-arguments.ts";

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

export function commandHelp(command: CliCommand): string {
  const options = Object.entries(command.options);
  const variables = options.flatMap(([name, { variable }]) => (variable ? [[`--${name}`, variable]] : []));
  return [
    `Usage: interlingua ${usageOf(command)}`,
    "",
    command.summary,
    ...(command.details ? ["", command.details] : []),
    "",
    "Options:",
    ...columns([
      ...options.map(([name, option]) => [flagOf(name, option), option.help]),
      ["-h, --help", "Print this help"],
    ]),
    ...(variables.length > 0 ? ["", "The same as environment variables:", ...columns(variables)] : []),
  ].join("\n");
}

function flagOf(name: string, { type, placeholder = "VALUE", multiple }: CommandOption): string {
  if (type === "boolean") return `--${name}`;
  return `--${name} ${placeholder}${multiple ? " …" : ""}`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`);
}
