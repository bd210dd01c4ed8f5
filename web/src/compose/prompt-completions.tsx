/** The commands or the files that could be meant while one is being typed. The text field keeps the focus and handles the keys. */
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import type { CompletionState } from "./use-completion.ts";

export const COMPLETION_MENU = "completion-menu";

export function completionOption(index: number): string {
  return `${COMPLETION_MENU}-${index}`;
}

export function PromptCompletions({ menu }: { menu: CompletionState }) {
  const { commands, files, isOpen, chosen, pick } = menu;
  if (!isOpen) return null;
  const options = [
    ...commands.map(({ name, hint, description = "" }) => ({
      id: name,
      label: <CommandLabel name={name} hint={hint} />,
      detail: clip(description),
    })),
    ...files.map(({ path, isDirectory }) => ({
      id: path,
      label: clip(isDirectory && !path.endsWith("/") ? `${path}/` : path, 160),
      detail: "",
    })),
  ];
  return (
    <div
      id={COMPLETION_MENU}
      role="listbox"
      aria-label={commands.length > 0 ? "Commands of the agent" : "Files"}
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
            pick(index);
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

function CommandLabel({ name, hint }: { name: string; hint?: string }) {
  return (
    <>
      /{clip(name, 80)}
      {hint && <span className="font-normal text-muted-foreground"> {clip(hint, 80)}</span>}
    </>
  );
}
