/** A row that goes while it has the focus, as one that is archived, leaves it to the one that takes its place. */
import { useEffect, useRef } from "react";
import { focusFirst } from "../ui/focus-first.ts";
import type { ListItem } from "./list-items.ts";

interface FocusInPlace {
  /** For the element around the rows. */
  onFocus: () => void;
  /** Not told of a row that goes. */
  onBlur: () => void;
}

/** `focused` is the session whose row, or what was opened from it, had the focus last. */
export function useFocusInPlace(items: readonly ListItem[], focused: string | undefined): FocusInPlace {
  const hasFocus = useRef(false);
  const place = useRef(0);
  useEffect(() => {
    const sessions = items.flatMap((item) => (item.kind === "session" ? item.key : []));
    const at = focused === undefined ? 0 : sessions.indexOf(focused);
    if (at >= 0) place.current = at;
    else if (hasFocus.current && document.activeElement === document.body) {
      hasFocus.current = false;
      const next = sessions[place.current] ?? sessions.at(-1);
      focusFirst(document.querySelector(`li [data-session="${next}"], li [data-choice="${next}"] input`));
    }
  }, [items, focused]);
  return {
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: () => {
      hasFocus.current = false;
    },
  };
}
