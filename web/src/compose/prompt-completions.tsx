/** The commands or the files that could be meant, above the field in which one is being typed. */
import { clip } from "../ui/format.ts";
import { CompletionMenu } from "./completion-menu.tsx";
import type { CompletionState } from "./use-completion.ts";

export function PromptCompletions({ menu }: { menu: CompletionState }) {
  const { commands, files, isOpen, chosen, pick } = menu;
  if (!isOpen) return null;
  const areCommands = commands.length > 0;
  return (
    <CompletionMenu
      name={areCommands ? "Commands of the agent" : "Files"}
      chosen={chosen}
      onPick={pick}
      options={
        areCommands
          ? commands.map(({ name, hint, description }) => ({
              id: name,
              label: <CommandLabel name={name} hint={hint} />,
              detail: clip(description ?? ""),
            }))
          : files.map(({ path, isDirectory }) => ({
              id: path,
              label: clip(isDirectory && !path.endsWith("/") ? `${path}/` : path, 160),
            }))
      }
    />
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
