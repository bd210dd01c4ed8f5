/** The first ask of what was just opened has the focus, so that its keys work at once, unless somebody is elsewhere. */
import { type RefObject, useEffect, useLayoutEffect } from "react";
import { focusFirst } from "../ui/focus-first.ts";
import { isTyping } from "./use-ask-keys.ts";

/** A list shows what it has measured: until then nothing in it takes the focus. */
const MAX_FRAMES = 60;

export function useCardFocus(card: RefObject<HTMLElement | null>, isTarget: boolean): void {
  useEffect(() => {
    const here = card.current;
    // Without a keyboard there are no keys, and a ring around it would be a riddle.
    if (!here || !isTarget || !matchMedia("(pointer: fine)").matches) return;
    const around = here.closest("[role=dialog], main");
    let frame = 0;
    function take(framesLeft: number) {
      if (!here || around?.querySelector("[data-ask][tabindex]") !== here) return;
      if (!isFree(document.activeElement, around)) return;
      // Where the conversation stands, and whether it follows its end, stays as it is.
      here.focus({ preventScroll: true });
      if (document.activeElement !== here && framesLeft > 0)
        frame = requestAnimationFrame(() => take(framesLeft - 1));
    }
    take(MAX_FRAMES);
    return () => cancelAnimationFrame(frame);
  }, [card, isTarget]);
  // Whoever was writing in it when it went, since somebody else answered, writes on in a field.
  useLayoutEffect(() => {
    const here = card.current;
    return () => {
      const { activeElement } = document;
      if (!here?.contains(activeElement) || !isTyping(activeElement)) return;
      queueMicrotask(() => document.activeElement === document.body && focusFirst());
    };
  }, [card]);
}

/** Whether nobody works with what has the focus: nothing, the list itself, or the row that opened the session. */
function isFree(focused: Element | null, around: Element): boolean {
  if (focused === null || focused === document.body) return document.querySelector("[role=dialog]") === null;
  return (
    focused === around || focused.matches("[data-session]:is([aria-current=page], :not(:focus-visible))")
  );
}
