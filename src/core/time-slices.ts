/**
 * Runs long work in slices. Awaiting a promise does not let the event loop turn: cached data is there at once, and a
 * loop over it would block everybody else.
 */

/** How long all long work together may run before the event loop turns. */
const SLICE_MS = 5;

export class TimeSlices {
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  /** When long work began in this turn of the event loop. */
  #startedAt: number | undefined;

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** Await it after each small step. Undefined while the work may go on. */
  pause(): Promise<void> | undefined {
    if (this.#startedAt === undefined) {
      this.#start();
      return undefined;
    }
    return performance.now() - this.#startedAt < this.#sliceMs ? undefined : this.next();
  }

  /**
   * Resolves in a later turn of the event loop, one waiter per turn. So a request waits for one slice, however much
   * long work there is.
   */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #start(): void {
    this.#startedAt = performance.now();
    setImmediate(() => {
      this.#startedAt = undefined;
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
