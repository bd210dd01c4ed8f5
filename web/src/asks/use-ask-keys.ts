/** Answers with single keys: with the focus in the card, or while nobody types and nothing else of its session waits. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useMyAsks } from "../access/use-my-asks.ts";
import { isFieldLost } from "../ui/lost-field.ts";
import { pauseAfterAnswer } from "./last-answer.ts";

export type AskKeys = Readonly<Record<string, (() => void) | undefined>>;

interface UseAskKeys {
  card: RefObject<HTMLElement | null>;
  session: string;
  ask: string;
  isActive: boolean;
  keys: AskKeys;
}

/** True while the keys work. */
export function useAskKeys({ card, session, ask, isActive, keys }: UseAskKeys): boolean {
  const asks = useMyAsks();
  const inSession = asks.filter((other) => other.session === session);
  const isOnlyInSession = inSession.length === 1 && inSession[0]?.ask === ask;
  const isOnly = isOnlyInSession && asks.length === 1;
  const latest = useRef(keys);
  latest.current = keys;
  const [works, setWorks] = useState(false);
  useEffect(() => {
    if (!isActive) return setWorks(false);
    const reaches = () => card.current !== null && isMeant(card.current, { isOnly, isOnlyInSession });
    function onKey(event: KeyboardEvent) {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      // A key that is still pressed from the last answer answers nothing.
      if (event.repeat || event.isComposing || isFieldLost() || !reaches()) return;
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      if (pauseAfterAnswer() > 0) return;
      // At once: the next key belongs into the field that this one opened.
      flushSync(action);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    function onFocus() {
      const pause = pauseAfterAnswer();
      clearTimeout(timer);
      if (pause > 0) timer = setTimeout(onFocus, pause);
      setWorks(pause === 0 && reaches());
    }
    const stopped = new AbortController();
    const { signal } = stopped;
    // Before the page's own keys.
    addEventListener("keydown", onKey, { capture: true, signal });
    addEventListener("focusin", onFocus, { signal });
    // A menu that led the focus here was still open then.
    addEventListener("keyup", onFocus, { signal });
    addEventListener("click", onFocus, { signal });
    // The focus is nowhere yet.
    addEventListener("focusout", () => queueMicrotask(onFocus), { signal });
    onFocus();
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [card, isActive, isOnly, isOnlyInSession]);
  return works;
}

interface Alone {
  /** Of all sessions: a list shows those of all. */
  isOnly: boolean;
  isOnlyInSession: boolean;
}

function isMeant(card: HTMLElement, { isOnly, isOnlyInSession }: Alone): boolean {
  const focused = document.activeElement;
  if (isTyping(focused) || document.querySelector("[role=menu][data-state=open]")) return false;
  if (card.contains(focused)) return true;
  const dialog = document.querySelector("[role=dialog]");
  return dialog ? isOnly && dialog.contains(card) : isOnlyInSession && !isDraftLeft(focused);
}

/** Whether the focus is nowhere while something is begun to be written: the next letters may be meant for it. */
function isDraftLeft(focused: Element | null): boolean {
  const field = document.querySelector<HTMLTextAreaElement>("#composer");
  return (focused === null || focused === document.body) && field !== null && field.value.trim() !== "";
}

const NOT_TYPED: ReadonlySet<string> = new Set(["radio", "checkbox", "button", "submit", "file"]);

export function isTyping(focused: Element | null): boolean {
  if (focused instanceof HTMLInputElement) return !NOT_TYPED.has(focused.type);
  return (
    focused instanceof HTMLElement &&
    (focused.isContentEditable || ["TEXTAREA", "SELECT"].includes(focused.tagName))
  );
}
