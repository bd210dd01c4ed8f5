/** One timer that can be moved, also further than Node's timers reach. */

/** What `setTimeout` takes at most. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Never keeps the process running. May call earlier than asked for, then whoever is called sets it again. */
export class WakeAt {
  readonly #call: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(call: () => void) {
    this.#call = call;
  }

  /** Replaces the former delay. None when undefined. */
  set(delayMs: number | undefined): void {
    clearTimeout(this.#timer);
    if (delayMs === undefined || this.#isClosed) return;
    this.#timer = setTimeout(this.#call, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS)).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}
