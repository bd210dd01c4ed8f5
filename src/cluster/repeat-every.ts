/** Does something again and again, never twice at once. What fails is done again the next time. */

export interface Repetition {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** @param periodMs From one beginning to the next; what takes longer is done again at once. */
export function repeatEvery(
  periodMs: number,
  act: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Repetition {
  let isStopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<void> | undefined;
  const run = async () => {
    const startedAt = performance.now();
    await act().catch(onError);
    running = undefined;
    if (!isStopped) schedule(Math.max(0, periodMs - (performance.now() - startedAt)));
  };
  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      running = run();
    }, delayMs).unref();
  };
  schedule(periodMs);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
