/**
 * What somebody writes in may go by itself, as when the ask is answered elsewhere. The letters that follow were meant for it:
 * they are no commands of the page, and no answers.
 */

/** Between two letters of somebody who goes on writing. */
const PAUSE_MS = 1000;

let written: { field: Element; at: number } | undefined;

/** To be called once, when the page begins. */
export function watchFields(): void {
  addEventListener("keydown", ({ target, key }) => note(target, key), { capture: true });
  addEventListener("pointerdown", forget, { capture: true });
}

/** Whether a key may be meant for a field that is gone. */
export function isFieldLost(): boolean {
  return written !== undefined && !written.field.isConnected && performance.now() - written.at < PAUSE_MS;
}

/** Whoever points at something else has seen what is there. */
function forget(): void {
  written = undefined;
}

function note(target: EventTarget | null, key: string): void {
  if (isFieldLost()) written!.at = performance.now();
  // With these a person leaves a field.
  else if (key === "Enter" || key === "Escape" || key === "Tab") forget();
  else if (target instanceof Element && target.matches("textarea, input, [contenteditable]"))
    written = { field: target, at: performance.now() };
}
