/** Where the focus goes when an ask was answered: its buttons vanish, and with them the place of whoever uses keys. */

/**
 * To the next open ask of the same place, as a whole: a key that is still pressed should not answer it. Without one to
 * what is around: the list of asks, or the composer.
 */
export function focusAfterAnswer(card: HTMLElement): void {
  if (!card.contains(document.activeElement)) return;
  const list = card.closest<HTMLElement>("[role=dialog]");
  const others = [...(list ?? document).querySelectorAll<HTMLElement>("[data-ask][tabindex]")];
  const place = others.indexOf(card);
  const next = others[place + 1] ?? others.find((other) => other !== card);
  (next ?? list ?? document.getElementById("composer"))?.focus();
}
