/**
 * The buttons of an answer: in a line; on a phone across the card, in reach of the thumb however long the card is
 * (in a list of cards it would cover what is asked), each as wide as its neighbours unless it has a line of its own. A button whose key does not work keeps its width, and has its word in the middle.
 */
import type { ComponentProps } from "react";

export function AnswerRow(props: ComponentProps<"div">) {
  return (
    <div
      {...props}
      className="pointer-fine:[&_button:has([data-hint=off])]:px-5.5 [&_[data-hint=off]]:hidden flex flex-wrap items-center gap-2 max-md:sticky in-[[role=dialog]]:static! max-md:bottom-0 max-md:z-10 max-md:-mx-3 max-md:-mb-3 max-md:*:grow max-md:*:basis-0 max-md:rounded-b-lg max-md:bg-waiting-soft max-md:px-3 max-md:pt-1.5 max-md:pb-3 touch:[&_button]:h-11"
    />
  );
}
