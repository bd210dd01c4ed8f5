/** What could be meant while something is being typed. The text field keeps the focus and handles the keys. */
import type { ReactNode } from "react";
import { classNames } from "../ui/class-names.ts";

export const COMPLETION_MENU = "completion-menu";

export function completionOption(index: number): string {
  return `${COMPLETION_MENU}-${index}`;
}

/** One of the things that could be meant. */
export interface Completion {
  id: string;
  label: ReactNode;
  detail?: string;
}

interface CompletionMenuProps {
  name: string;
  options: readonly Completion[];
  chosen: number;
  onPick: (index: number) => void;
}

export function CompletionMenu({ name, options, chosen, onPick }: CompletionMenuProps) {
  return (
    <div
      id={COMPLETION_MENU}
      role="listbox"
      aria-label={name}
      className="mx-1.5 mt-1.5 max-h-[40dvh] overflow-y-auto rounded-lg border bg-background py-1 text-xs"
    >
      {options.map(({ id, label, detail }, index) => (
        <div
          key={id}
          id={completionOption(index)}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          // Before the text field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(index);
          }}
          className={classNames(
            "flex min-h-7 cursor-default items-center gap-3 px-2.5 py-1 touch:min-h-10",
            index === chosen ? "bg-muted" : "hover:bg-muted/60",
          )}
        >
          <span className="min-w-0 max-w-full shrink-0 truncate font-medium font-mono">{label}</span>
          {detail && <span className="min-w-0 flex-1 truncate text-muted-foreground">{detail}</span>}
        </div>
      ))}
    </div>
  );
}
