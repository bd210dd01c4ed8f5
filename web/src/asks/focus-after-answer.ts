/** Moves the focus after an ask is answered: its buttons vanish, and with them the position of keyboard users. */

/**
 * Focuses the next open ask as a whole, so that a key that is still pressed does not answer it. If there is none,
 * focuses the list of asks or the composer.
 */
export function focusAfterAnswer(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return;
  const list = card.closest<HTMLElement>("[role=dialog]");
  const others = [...(list ?? document).querySelectorAll<HTMLElement>("[data-ask][tabindex]")];
  const place = others.indexOf(card);
  const next = others[place + 1] ?? others.find((other) => other !== card);
  (next ?? list ?? document.getElementById("composer"))?.focus();
}
