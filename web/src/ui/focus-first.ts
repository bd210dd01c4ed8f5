/** Where the focus goes when what has it goes. Were it nowhere, the next letters would be commands of the page. */
import { START_FIELD } from "../start/choose-agent.ts";

/** Focuses the first of them that takes it, else the field that a person writes in. What scrolls stays where it is. */
export function focusFirst(...candidates: readonly (Element | null | undefined)[]): void {
  for (const candidate of candidates) {
    if (!(candidate instanceof HTMLElement)) continue;
    candidate.focus({ preventScroll: true });
    if (document.activeElement === candidate) return;
  }
  // A phone's keyboard would cover half of the page.
  if (!matchMedia("(pointer: fine)").matches) return;
  (document.getElementById("composer") ?? document.getElementById(START_FIELD))?.focus();
}
