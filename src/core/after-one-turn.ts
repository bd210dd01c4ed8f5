/** Runs an action after the event loop has looked at its sockets once, so that long steps do not follow each other. */
export function afterOneTurn(action: () => void): void {
  // The first comes in this turn of the loop, before it looks.
  setImmediate(() => setImmediate(action));
}
