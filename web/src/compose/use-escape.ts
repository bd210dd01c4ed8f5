/** Escape, wherever the focus is, unless it was meant for something that is open or being written elsewhere. */
import { useEffect, useRef } from "react";

export function useEscape(isActive: boolean, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (!isActive) return;
    function onKey(event: KeyboardEvent) {
      // Menus and dialogs close with it and say so.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector("[role=dialog], [role=menu]") || isWrittenElsewhere(event.target)) return;
      event.preventDefault();
      latest.current();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [isActive]);
}

function isWrittenElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.id !== "composer" &&
    ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)
  );
}
