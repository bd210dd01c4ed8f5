import { setTimeout } from "node:timers/promises";

/** Waits for the promise, but no longer than this. Says whether it settled; leaves no timer behind. */
export async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = setTimeout(milliseconds, false, { signal: timer.signal });
  return Promise.race([settled, late]).finally(() => timer.abort());
}
