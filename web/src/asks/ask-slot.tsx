/** An open ask in a conversation. Its card comes when there is one: most conversations are read without. */
import { lazyPart } from "../ui/lazy-part.tsx";

/** Ahead of the message that holds the ask. */
export function loadAskCard() {
  return import("./ask-card.tsx");
}

export const AskSlot = lazyPart(loadAskCard, AskPlace, AskPlace);

/** Holds the place of a card that is on its way. */
export function AskPlace() {
  return (
    <div
      aria-hidden="true"
      data-ask-place
      className="h-40 animate-breathe rounded-lg border border-waiting-border bg-waiting-soft"
    />
  );
}
