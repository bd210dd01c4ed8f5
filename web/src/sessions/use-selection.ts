/** Which sessions of the list are chosen, while several are. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { ListItem } from "./list-items.ts";
import { type Selection, toggleChosen } from "./selection.ts";

export interface UsedSelection {
  /** Undefined while none are being chosen. */
  chosen: ReadonlySet<string> | undefined;
  /** The sessions that can be chosen, in the order of the list. */
  order: readonly string[];
  start: () => void;
  /** Begins with this one, where none are being chosen. */
  toggle: (session: string, isRange: boolean) => void;
  chooseAll: () => void;
  stop: () => void;
}

export function useSelection(items: readonly ListItem[]): UsedSelection {
  const [selection, setSelection] = useState<Selection>();
  const order = useMemo(() => items.flatMap((item) => (item.kind === "session" ? item.key : [])), [items]);
  // Rows keep their handler while the list changes.
  const latest = useRef(order);
  latest.current = order;
  const toggle = useCallback(
    (session: string, isRange: boolean) =>
      setSelection((before) =>
        toggleChosen(before ?? { chosen: new Set() }, session, { order: latest.current, isRange }),
      ),
    [],
  );
  return {
    chosen: selection?.chosen,
    order,
    start: () => setSelection({ chosen: new Set() }),
    toggle,
    chooseAll: () => setSelection({ chosen: new Set(order) }),
    stop: () => setSelection(undefined),
  };
}
