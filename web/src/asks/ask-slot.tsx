/** An open ask in a conversation. Its card comes when there is one: most conversations are read without. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { AskCard as Card } from "./ask-card.tsx";

const AskCard = lazy(() => import("./ask-card.tsx").then((module) => ({ default: module.AskCard })));

export function AskSlot(props: ComponentProps<typeof Card>) {
  return (
    <Suspense>
      <AskCard {...props} />
    </Suspense>
  );
}
