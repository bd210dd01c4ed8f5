/**
 * Long work in slices. Waiting for a promise alone does not let the event loop turn: what was read from a cache or
 * unpacked in place is there at once, and a loop over it would keep everybody else waiting to its end.
 */

/** All long work together may go on for so long before others have their turn. */
const SLICE_MS = 5;

export class TimeSlices {
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;
  /** Since when long work has been done in this turn of the event loop. */
  #startedAt: number | undefined;

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
  }

  /** To be awaited after each small step. Undefined while the work may go on. */
  pause(): Promise<void> | undefined {
    if (this.#startedAt === undefined) {
      this.#start();
      return undefined;
    }
    return performance.now() - this.#startedAt < this.#sliceMs ? undefined : this.next();
  }

  /**
   * Resolves in a later turn of the event loop, in which nobody else who waits here goes on. So however many do long
   * work at once, a request waits for one slice of it.
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
