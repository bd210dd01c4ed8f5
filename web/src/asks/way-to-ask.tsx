/** How the keys come from the composer to the ask, as long as somebody may write there. */
import { type RefObject, useEffect, useState } from "react";
import { Keys } from "../ui/keys.tsx";
import { firstOpenAsk } from "./first-open-ask.ts";

interface WayToAskProps {
  card: RefObject<HTMLElement | null>;
  /** The key that answers it then. */
  answer: string;
}

export function WayToAsk({ card, answer }: WayToAskProps) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const look = () =>
      setIsShown(document.activeElement?.id === "composer" && firstOpenAsk() === card.current);
    const stopped = new AbortController();
    const { signal } = stopped;
    addEventListener("focusin", look, { signal });
    // The focus is nowhere yet.
    addEventListener("focusout", () => queueMicrotask(look), { signal });
    look();
    return () => stopped.abort();
  }, [card]);
  if (!isShown) return null;
  return (
    <span
      data-way-to-ask
      aria-hidden="true"
      className="flex items-center gap-1 whitespace-nowrap font-normal text-2xs text-muted-foreground touch:hidden"
    >
      <Keys keys="Escape" />
      then <Keys keys={answer} />
    </span>
  );
}
