/** The agent's own commands, which a person writes in place of a prompt. */
import { COMMANDS } from "../manifest.ts";

export function isCommand(text: string): boolean {
  return COMMANDS.some(({ name }) => text.trim() === `/${name}`);
}
