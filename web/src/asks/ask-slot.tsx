/** An open ask in a conversation. Its card comes when there is one: most conversations are read without. */
import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { AskCard as Card } from "./ask-card.tsx";

const AskCard = lazyPart(() => loadAskCard().then((module) => ({ default: module.AskCard })), AskPlace);

/** Ahead of the message that holds the ask. */
export function loadAskCard() {
  return import("./ask-card.tsx");
}

export function AskSlot(props: ComponentProps<typeof Card>) {
  return (
    <Suspense fallback={<AskPlace />}>
      <AskCard {...props} />
    </Suspense>
  );
}

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
