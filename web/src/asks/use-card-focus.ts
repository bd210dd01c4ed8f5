/** The first ask of what was just opened has the focus, so that its keys work at once, unless somebody is elsewhere. */
import { type RefObject, useEffect } from "react";

export function useCardFocus(card: RefObject<HTMLElement | null>, isTarget: boolean): void {
  useEffect(() => {
    const here = card.current;
    // Without a keyboard there are no keys, and a ring around it would be a riddle.
    if (!here || !isTarget || !matchMedia("(pointer: fine)").matches) return;
    const around = here.closest("[role=dialog], main");
    if (around?.querySelector("[data-ask]") !== here || !isFree(document.activeElement, around)) return;
    // Where the conversation stands, and whether it follows its end, stays as it is.
    here.focus({ preventScroll: true });
  }, [card, isTarget]);
}

/** Whether nobody works with what has the focus: nothing, the list itself, or the row that was clicked. */
function isFree(focused: Element | null, around: Element): boolean {
  if (focused === null || focused === document.body) return document.querySelector("[role=dialog]") === null;
  return focused === around || focused.matches("[data-session]:not(:focus-visible)");
}
