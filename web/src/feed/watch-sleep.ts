/** Notices that the machine or the browser stopped this page for a while: its timer comes late. */

const TICK_MS = 5000;
/** Browsers slow the timers of hidden tabs down to one in a minute; that is no sleep. */
export const SLEEP_MS = 90_000;

/** Calls `onWake` with how long it was, until `signal` is aborted. */
export function watchSleep(onWake: (sleptMs: number) => void, signal: AbortSignal): void {
  let last = Date.now();
  const timer = setInterval(look, TICK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));

  function look(): void {
    const now = Date.now();
    const gap = now - last;
    last = now;
    if (gap > SLEEP_MS) onWake(gap);
  }
}
