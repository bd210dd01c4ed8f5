/** Escape, wherever the focus is, unless it was meant for something that is open or being written elsewhere. */
import { useEffect, useRef } from "react";

/** Whoever closes something may press twice: the second one so soon after stops nothing. */
const STILL_CLOSING_MS = 500;

export function useEscape(isActive: boolean, action: () => void): void {
  const latest = useRef(action);
  latest.current = action;
  useEffect(() => {
    if (!isActive) return;
    /** When something else took the last one. The field is only left by it, which is no end of anything. */
    let takenAt = Number.NEGATIVE_INFINITY;
    let takenBefore = takenAt;
    function onFirst({ key, target, timeStamp }: KeyboardEvent) {
      if (key !== "Escape") return;
      takenBefore = takenAt;
      if (!(target instanceof HTMLElement && target.id === "composer")) takenAt = timeStamp;
    }
    function onKey(event: KeyboardEvent) {
      // Menus and dialogs close with it and say so.
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector("[role=dialog], [role=menu]") || isWrittenElsewhere(event.target)) return;
      event.preventDefault();
      // It was free.
      takenAt = takenBefore;
      if (!event.repeat && event.timeStamp - takenAt > STILL_CLOSING_MS) latest.current();
    }
    const stopped = new AbortController();
    const { signal } = stopped;
    // Before anything takes it.
    addEventListener("keydown", onFirst, { capture: true, signal });
    addEventListener("keydown", onKey, { signal });
    return () => stopped.abort();
  }, [isActive]);
}

function isWrittenElsewhere(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.id !== "composer" &&
    ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)
  );
}
