/** Moves the focus after an ask is answered: its buttons vanish, and with them the position of keyboard users. */

/**
 * Focuses the next open ask as a whole, so that a key that is still pressed does not answer it. If there is none,
 * focuses the list of asks or the composer.
 */
export function focusAfterAnswer(card: HTMLElement): void {
  const focused = document.activeElement;
  // A menu of the card is not inside of it.
  if (!card.contains(focused) && !focused?.closest("[role=menu]")) return;
  const list = card.closest<HTMLElement>("[role=dialog]");
  const others = [...(list ?? document).querySelectorAll<HTMLElement>("[data-ask][tabindex]")];
  const place = others.indexOf(card);
  const next = others[place + 1] ?? others.find((other) => other !== card);
  // A phone's keyboard would cover what the agent does next.
  const composer = matchMedia("(pointer: fine)").matches ? document.getElementById("composer") : null;
  (next ?? list ?? composer)?.focus();
}
