/** A row that goes while it has the focus, as one that is archived, leaves it to the one that takes its place. */
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { focusFirst } from "../ui/focus-first.ts";

interface FocusInPlace {
  /** The session whose row, or what was opened from it, had the focus last. */
  focused: string | undefined;
  /** For the element around the rows. */
  onFocus: (event: FocusEvent) => void;
  /** Not told of a row that goes. */
  onBlur: () => void;
}

/** `sessions` are those that have a row, in their order. */
export function useFocusInPlace(sessions: readonly string[]): FocusInPlace {
  const [focused, setFocused] = useState<string>();
  /** While something in it has the focus, or had it when it went. */
  const list = useRef<Element>(undefined);
  const place = useRef(0);
  useEffect(() => {
    const at = focused === undefined ? 0 : sessions.indexOf(focused);
    if (at >= 0) place.current = at;
    if (!list.current || document.activeElement !== document.body) return;
    const around = list.current;
    list.current = undefined;
    const next = sessions[place.current] ?? sessions.at(-1);
    focusFirst(around.querySelector(`li [data-session="${next}"], li [data-choice="${next}"] input`));
  }, [sessions, focused]);
  return {
    focused,
    onFocus: ({ target, currentTarget }) => {
      list.current = currentTarget;
      const row = target.closest("li")?.querySelector<HTMLElement>("[data-session], [data-choice]");
      if (row) setFocused(row.dataset.session ?? row.dataset.choice);
    },
    onBlur: () => {
      list.current = undefined;
    },
  };
}
