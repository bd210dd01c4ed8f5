/** What can be done with the chosen sessions. */
import { Archive, ArchiveRestore, CircleX, Ellipsis, Pin, Trash2 } from "lucide-react";
import { useEffect } from "react";
import { useAccess } from "../access/use-access.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";
import { useSessionActions } from "./use-session-actions.tsx";

interface SelectionBarProps {
  /** Those that are chosen, in the order of the list. */
  chosen: readonly string[];
  isArchived: boolean;
  onAll: () => void;
  onDone: () => void;
}

const BUTTON = "touch:h-10";

export default function SelectionBar({ chosen, isArchived, onAll, onDone }: SelectionBarProps) {
  const { can } = useAccess();
  const actions = useSessionActions();
  const canChange = can("session.settings");
  const canClose = can("session.close") && !isArchived;
  const isNone = chosen.length === 0;
  const done = useSteadyCallback(onDone);
  // With the focus nowhere. The list itself takes the key with the focus in it.
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.target !== document.body || event.defaultPrevented) return;
      event.preventDefault();
      done();
    }
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [done]);
  function act(what: (sessions: readonly string[]) => unknown) {
    what(chosen);
    onDone();
  }
  return (
    <div
      role="toolbar"
      aria-label="Chosen sessions"
      className="shrink-0 space-y-2 border-t bg-primary-soft px-2.5 pt-2 pb-[max(0.625rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex items-center gap-1.5">
        <span className="flex-1 truncate font-medium text-xs" aria-live="polite">
          {chosen.length.toLocaleString()} chosen
        </span>
        <Button size="small" className={BUTTON} onClick={onAll}>
          All
        </Button>
        <Button size="small" look="primary" className={BUTTON} title="Stop choosing (Esc)" onClick={onDone}>
          Done
        </Button>
      </div>
      <div className="flex items-center gap-1.5">
        {canChange && (
          <Button
            size="small"
            className={BUTTON}
            disabled={isNone}
            onClick={() => act((all) => actions.archive(all, !isArchived))}
          >
            {isArchived ? <ArchiveRestore /> : <Archive />} {isArchived ? "Back to the list" : "Archive"}
          </Button>
        )}
        {can("session.delete") && (
          <Button
            size="small"
            look="danger"
            className={BUTTON}
            disabled={isNone}
            onClick={() => act(actions.remove)}
          >
            <Trash2 /> Delete
          </Button>
        )}
        {!isArchived && (canChange || canClose) && (
          <Menu
            trigger={
              <IconButton
                icon={Ellipsis}
                label="More for the chosen ones"
                title="More"
                disabled={isNone}
                className="ml-auto touch:size-10"
              />
            }
          >
            {canChange && (
              <MenuItem icon={<Pin />} onSelect={() => act((all) => actions.pin(all, true))} name="Pin" />
            )}
            {canClose && <MenuItem icon={<CircleX />} onSelect={() => act(actions.close)} name="Close…" />}
          </Menu>
        )}
      </div>
    </div>
  );
}
