/** The selected command of the menu, and the keys while it is open. */
import { type KeyboardEvent, useEffect, useState } from "react";
import { type AgentCommand, matchingCommands } from "./matching-commands.ts";

export interface CommandMenuState {
  commands: readonly AgentCommand[];
  chosen: number;
  /** True when the key was for the menu. */
  onKey: (event: KeyboardEvent) => boolean;
  pick: (command: AgentCommand) => void;
}

export function useCommandMenu(
  text: string,
  known: readonly AgentCommand[] | undefined,
  write: (text: string) => void,
): CommandMenuState {
  const [chosen, setChosen] = useState(0);
  const [isDismissed, setIsDismissed] = useState(false);
  const commands = isDismissed ? [] : matchingCommands(text, known);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another list
  useEffect(() => {
    setChosen(0);
    setIsDismissed(false);
  }, [text]);

  const pick = (command: AgentCommand) => write(`/${command.name} `);
  const move = (by: number) => setChosen((chosen + by + commands.length) % commands.length);

  function onKey(event: KeyboardEvent): boolean {
    const command = commands[chosen];
    if (!command) return false;
    // A complete command is sent instead of completed.
    const isComplete = text === `/${command.name}`;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Escape") setIsDismissed(true);
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isComplete)) pick(command);
    else return false;
    event.preventDefault();
    return true;
  }

  return { commands, chosen, onKey, pick };
}
