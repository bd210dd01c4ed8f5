/** Every command of the engine. Rights, audit, forwarding between nodes and handlers that only pass through come from here. */
import { agentCommands } from "./agents.ts";
import { askCommands } from "./asks.ts";
import type { Command } from "./define-command.ts";
import { promptCommands } from "./prompts.ts";
import { queueCommands } from "./queue.ts";
import { sessionCommands } from "./sessions.ts";
import { taskCommands } from "./tasks.ts";
import { workspaceCommands } from "./workspace.ts";

export const commands = {
  ...sessionCommands,
  ...promptCommands,
  ...queueCommands,
  ...askCommands,
  ...taskCommands,
  ...workspaceCommands,
  ...agentCommands,
};

export type Commands = typeof commands;
export type CommandName = keyof Commands;
export type CommandInput<Name extends CommandName> = TypesOf<Name>["input"];
export type CommandAnswer<Name extends CommandName> = TypesOf<Name>["answer"];

type TypesOf<Name extends CommandName> = NonNullable<Commands[Name]["types"]>;

type Definitions = { readonly [Name in CommandName]: Command<CommandInput<Name>, CommandAnswer<Name>> };

const definitions: Definitions = commands;

export function commandNamed<Name extends CommandName>(name: Name): Definitions[Name] {
  return definitions[name];
}

/** Dialects from outside and other nodes may give any name. */
export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** The session that a command is about, or the one it makes. */
export function sessionOf(name: CommandName, input: object): string | undefined {
  const { session, id } = input as { session?: string; id?: string };
  return name === "createSession" ? id : session;
}
