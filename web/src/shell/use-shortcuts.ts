/** Single keys, as long as nobody is typing. */
import { useEffect, useRef } from "react";

export function useShortcuts(actions: { onNew: () => void; onAsks: () => void }): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("[role=dialog]")) return;
      if (event.key === "n") latest.current.onNew();
      else if (event.key === "a") latest.current.onAsks();
      else if (event.key === "/") document.getElementById("session-search")?.focus();
      else if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
      else if (event.key === "i") document.getElementById("composer")?.focus();
      else return;
      event.preventDefault();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

/** To the next or the former row, in the order they are shown. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("aside [data-session]")];
  const current = rows.findIndex((row) => row.ariaCurrent === "page");
  const row = rows[Math.max(0, Math.min(rows.length - 1, current + by))];
  // With the focus on the row the next key moves on; the composer would take it.
  row?.focus();
  row?.click();
}
