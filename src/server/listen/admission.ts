/**
 * Begins work that arrives in bursts a few at a time, so that other requests have their turn in between. First come, first
 * served.
 */

/** How many begin in one turn of the event loop. Each takes about a millisecond. */
const BATCH = 8;

export class Admission {
  readonly #maxWaiting: number;
  #waiting: (() => boolean)[] = [];
  /** How many have begun in this turn of the event loop. */
  #begun = 0;
  #isScheduled = false;

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Calls `begin` now or in a later turn of the event loop; it returns false if there was nothing left to do. False if too
   * many wait: then it is never called.
   */
  add(begin: () => boolean): boolean {
    if (this.#waiting.length === 0 && this.#begun < BATCH) {
      this.#schedule();
      if (begin()) this.#begun += 1;
      return true;
    }
    if (this.#waiting.length >= this.#maxWaiting) return false;
    this.#waiting.push(begin);
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#beginBatch());
  }

  #beginBatch(): void {
    this.#isScheduled = false;
    this.#begun = 0;
    const { length } = this.#waiting;
    let taken = 0;
    try {
      while (taken < length && this.#begun < BATCH) {
        taken += 1;
        if (this.#waiting[taken - 1]!()) this.#begun += 1;
      }
    } finally {
      // Also after work that throws: the work behind it still has to begin.
      this.#waiting = this.#waiting.slice(taken);
      if (this.#begun > 0 || this.#waiting.length > 0) this.#schedule();
    }
  }
}
