/** What Tab makes of a line: commands with a slash, their arguments, and files after `@`. */
import type { SessionDetails } from "../../sdk/index.ts";
import { completeMention } from "./mentioned-files.ts";
import { SLASH_COMMANDS } from "./slash-commands.ts";

/** What the end of the line can become, and that end. */
export function completeLine(line: string, details: SessionDetails): [string[], string] {
  const [, name, argument] = /^\/(\S*)(?:\s+(.*))?$/.exec(line) ?? [];
  if (name === undefined) return completeMention(line, details.cwd) ?? [[], line];
  if (argument === undefined) return [commandNames(details).filter((known) => known.startsWith(line)), line];
  const command = SLASH_COMMANDS.find((known) => known.name === name);
  if (!command?.complete) return completeMention(line, details.cwd) ?? [[], line];
  return [command.complete(details).filter((value) => value.startsWith(argument)), argument];
}

/** Ours, then the agent's as they are typed: one whose name we have begins with two slashes. */
export function commandNames({ commands = [] }: SessionDetails): string[] {
  const ours = SLASH_COMMANDS.map(({ name }) => `/${name}`);
  const theirs = commands.map(({ name }) => `/${name.replace(/^\//, "")}`);
  return [...ours, ...theirs.map((name) => (ours.includes(name) ? `/${name}` : name))];
}
