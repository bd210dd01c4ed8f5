/** Commands of the agent and files, offered while one is being typed: which is chosen, and the keys while they are. */
import { type KeyboardEvent, useEffect, useState } from "react";
import type { FoundFile } from "../api/types.ts";
import { type AgentCommand, matchingCommands } from "./matching-commands.ts";
import { type Mention, mentionAt, withMention } from "./mention-at.ts";
import { useFileMatches } from "./use-file-matches.ts";

export interface CompletionState {
  commands: readonly AgentCommand[];
  files: readonly FoundFile[];
  isOpen: boolean;
  chosen: number;
  /** True when the key was for the menu. */
  onKey: (event: KeyboardEvent) => boolean;
  pick: (index: number) => void;
}

interface CompletionOptions {
  /** Undefined where files cannot be looked for. */
  session: string | undefined;
  text: string;
  /** Undefined while the field does not have the focus, or something is selected. */
  caret: number | undefined;
  known: readonly AgentCommand[] | undefined;
  write: (text: string, caret: number) => void;
}

export function useCompletion({ session, text, caret, known, write }: CompletionOptions): CompletionState {
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const mention = caret === undefined ? undefined : mentionAt(text, caret);
  const found = useFileMatches(session, mention?.typed);
  const isDismissed = dismissed === text;
  const commands = isDismissed ? [] : matchingCommands(text, known);
  const files = isDismissed || !mention || commands.length > 0 ? [] : found;
  const count = commands.length + files.length;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another list
  useEffect(() => setChosen(0), [text, found]);

  function pick(index: number): void {
    const command = commands[index];
    if (command) return write(`/${command.name} `, command.name.length + 2);
    const file = files[index];
    if (file && mention) complete(mention, file);
  }

  function complete(at: Mention, file: FoundFile): void {
    const completed = withMention(text, at, file);
    write(completed.text, completed.caret);
  }

  function onKey(event: KeyboardEvent): boolean {
    if (count === 0) return false;
    const command = commands[chosen];
    // What is complete is sent instead of completed.
    const isComplete = command
      ? text === `/${command.name}`
      : files[chosen]?.path === mention?.typed && !files[chosen]?.isDirectory;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % count);
    else if (event.key === "ArrowUp") setChosen((chosen + count - 1) % count);
    else if (event.key === "Escape") setDismissed(text);
    else if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !isComplete)) pick(chosen);
    else return false;
    event.preventDefault();
    return true;
  }

  return { commands, files, isOpen: count > 0, chosen, onKey, pick };
}
