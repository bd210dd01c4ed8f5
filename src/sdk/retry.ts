/** When something is tried again: after a pause that grows, a little different for everybody. */
import { InterlinguaError } from "./error.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

export class Backoff {
  #pauseMs = FIRST_PAUSE_MS;

  reset(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /** Half of the pause is random, so that many clients of one daemon do not come back at once. */
  async pause(signal?: AbortSignal): Promise<void> {
    const ms = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    await sleep(ms, signal);
  }
}

/** Ends early, without an error, when it is aborted. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}

/** Whether the next try may go better: nobody answered, a proxy or a daemon that starts did, or we were too fast. */
export function isPassing(error: unknown): boolean {
  if (!InterlinguaError.is(error)) return true;
  const { code, status = 0 } = error;
  return code === "unreachable" || status === 429 || status > 500;
}

/** How long nobody has answered. Time is counted in pauses we saw: one that slept through hours was not waiting. */
export class Patience {
  readonly #ms: number;
  #lastContact = Date.now();
  #lastLook = Date.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  contact(): void {
    this.#lastContact = this.#lastLook = Date.now();
  }

  /** To be asked after every try. */
  isOver(): boolean {
    const now = Date.now();
    const slept = now - this.#lastLook;
    // A clock that was set, or a machine that slept: no try can take so long.
    if (slept < 0 || slept > 2 * MAX_PAUSE_MS + 60_000) this.#lastContact += slept;
    this.#lastLook = now;
    return now - this.#lastContact > this.#ms;
  }
}
