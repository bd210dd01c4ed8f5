/** Waits for something unless it is stopped. */

/** Rejects with the signal's reason when it is aborted first. Without a signal it gives the promise. */
export function untilAborted<Value>(promise: Promise<Value>, signal?: AbortSignal): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
