/** What can be done now: bound to its key while it is, and listed in the command palette. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from "react";
import { isFieldLost } from "../ui/lost-field.ts";
import { isTyping, matchesKey, SHORTCUT_IDS, SHORTCUTS, type ShortcutId } from "./shortcuts.ts";

export interface Commands {
  /** Binds one. Returns what unbinds it; of two the one that came last counts. */
  bind: (id: ShortcutId, run: () => void) => () => void;
  run: (id: ShortcutId) => void;
  /** Those that can be run now. */
  list: () => ShortcutId[];
}

const CommandsContext = createContext<Commands | undefined>(undefined);

/** Listens for the keys of all that is bound inside it. */
export function CommandsProvider({ children }: { children: ReactNode }) {
  const commands = useMemo(createCommands, []);
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const id = commands
        .list()
        .find((id) => SHORTCUTS[id].keys?.some((key) => matchesKey(key, event) && isFor(key, event)));
      if (id === undefined) return;
      event.preventDefault();
      commands.run(id);
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [commands]);
  return <CommandsContext value={commands}>{children}</CommandsContext>;
}

/** Whether nothing else has the keys: a field those it writes, something that is open all of them. */
function isFor(key: string, event: KeyboardEvent): boolean {
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return false;
  return key.includes("mod+") || !(isTyping(event.target) || isFieldLost());
}

/** Bound as long as the component is there and `isEnabled`. */
export function useCommand(id: ShortcutId, run: () => void, isEnabled = true): void {
  const commands = useContext(CommandsContext);
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isEnabled) return;
    return commands?.bind(id, () => latest.current());
  }, [commands, id, isEnabled]);
}

export function useCommands(): Commands {
  const commands = useContext(CommandsContext);
  if (!commands) throw new Error("useCommands is used outside of CommandsProvider");
  return commands;
}

function createCommands(): Commands {
  const bound = new Map<ShortcutId, (() => void)[]>();
  return {
    bind(id, run) {
      bound.set(id, [...(bound.get(id) ?? []), run]);
      return () =>
        bound.set(
          id,
          (bound.get(id) ?? []).filter((other) => other !== run),
        );
    },
    run: (id) => bound.get(id)?.at(-1)?.(),
    list: () => SHORTCUT_IDS.filter((id) => (bound.get(id)?.length ?? 0) > 0),
  };
}
