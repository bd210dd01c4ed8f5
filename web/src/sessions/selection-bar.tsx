/** What can be done with the chosen sessions. */
import { Archive, ArchiveRestore, CircleX, Pin, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import { useAccess } from "../access/use-access.tsx";
import { Button } from "../ui/button.tsx";
import { useSessionActions } from "./use-session-actions.tsx";

interface SelectionBarProps {
  /** Those that are chosen, in the order of the list. */
  chosen: readonly string[];
  isArchived: boolean;
  onAll: () => void;
  onDone: () => void;
}

export function SelectionBar({ chosen, isArchived, onAll, onDone }: SelectionBarProps) {
  const { can } = useAccess();
  const actions = useSessionActions();
  const canChange = can("session.settings");
  function act(what: (sessions: readonly string[]) => unknown) {
    what(chosen);
    onDone();
  }
  const button = (name: string, icon: ReactNode, what: (sessions: readonly string[]) => unknown) => (
    <Button
      look="ghost"
      size="icon"
      aria-label={name}
      title={name}
      disabled={chosen.length === 0}
      onClick={() => act(what)}
    >
      {icon}
    </Button>
  );
  return (
    <div
      role="toolbar"
      aria-label="Chosen sessions"
      className="flex min-h-10 shrink-0 items-center gap-0.5 border-t bg-primary-soft px-2 pb-[env(safe-area-inset-bottom)]"
    >
      <Button
        look="ghost"
        size="icon"
        aria-label="Stop choosing"
        title="Stop choosing (Esc)"
        onClick={onDone}
      >
        <X />
      </Button>
      <span className="flex-1 truncate font-medium text-xs" aria-live="polite">
        {chosen.length.toLocaleString()} chosen
      </span>
      <Button look="ghost" size="small" onClick={onAll}>
        All
      </Button>
      {canChange && !isArchived && button("Pin", <Pin />, (all) => actions.pin(all, true))}
      {canChange &&
        (isArchived
          ? button("Back to the list", <ArchiveRestore />, (all) => actions.archive(all, false))
          : button("Archive", <Archive />, (all) => actions.archive(all, true)))}
      {can("session.close") && !isArchived && button("Close…", <CircleX />, actions.close)}
      {can("session.delete") && button("Delete", <Trash2 />, actions.remove)}
    </div>
  );
}
