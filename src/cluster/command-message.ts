/** A command on its way from one node to another. */
import type { Principal } from "../core/principal.ts";
import { type CommandName, commandNamed, isCommand } from "../protocol/commands/index.ts";

export interface CommandMessage {
  readonly command: CommandName;
  readonly input: object;
  readonly caller: Principal;
}

/** Undefined where another node may not ask for it: it is about this node, or no command of ours. */
export function readCommandMessage(body: unknown): CommandMessage | undefined {
  const { command, input, caller } = (body ?? {}) as Partial<CommandMessage>;
  if (typeof command !== "string" || !isCommand(command)) return undefined;
  if (commandNamed(command).forward === "here") return undefined;
  if (typeof input !== "object" || input === null) return undefined;
  if (typeof caller !== "object" || caller === null) return undefined;
  return { command, input, caller };
}
