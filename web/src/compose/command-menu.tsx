/** The agent's commands, while one is being typed. The text field keeps the focus and handles the keys. */
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import type { AgentCommand } from "./matching-commands.ts";

export const COMMAND_MENU = "command-menu";

export function commandOption(index: number): string {
  return `${COMMAND_MENU}-${index}`;
}

interface CommandMenuProps {
  commands: readonly AgentCommand[];
  chosen: number;
  onPick: (command: AgentCommand) => void;
}

export function CommandMenu({ commands, chosen, onPick }: CommandMenuProps) {
  return (
    <div
      id={COMMAND_MENU}
      role="listbox"
      aria-label="Commands of the agent"
      className="mx-1.5 mt-1.5 overflow-hidden rounded-lg border bg-background py-1 text-xs"
    >
      {commands.map((command, index) => (
        <div
          key={command.name}
          id={commandOption(index)}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          // Before the text field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(command);
          }}
          className={classNames(
            "flex cursor-default gap-3 px-2.5 py-1.5",
            index === chosen ? "bg-muted" : "hover:bg-muted/60",
          )}
        >
          <span className="max-w-3/5 shrink-0 truncate font-medium font-mono">
            /{clip(command.name, 80)}
            {command.hint && (
              <span className="font-normal text-muted-foreground"> {clip(command.hint, 80)}</span>
            )}
          </span>
          <span className="min-w-0 truncate text-muted-foreground">{clip(command.description ?? "")}</span>
        </div>
      ))}
    </div>
  );
}
