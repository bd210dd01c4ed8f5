/** When something is tried again: after a pause that grows, a little different for everybody. */
import { CLOSED, InterlinguaError } from "./error.ts";
import { ANSWER_MS } from "./http.ts";
import { sleep } from "./sleep.ts";

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const OVERSLEPT_MS = 30_000;
/** A daemon that nobody has reached for so long is given up. */
export const UNREACHABLE_MS = 5 * 60_000;

export class Backoff {
  #pauseMs = FIRST_PAUSE_MS;

  reset(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  /**
   * Half of the pause is random, so that many clients of one daemon do not come back at once. Gives how much longer it
   * took.
   */
  async pause(signal?: AbortSignal): Promise<number> {
    const ms = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    const began = performance.now();
    await sleep(ms, signal);
    return performance.now() - began - ms;
  }
}

/** Whether the next try may go better: nobody answered, a daemon that stops or starts did, or we were too fast. */
export function isPassing(error: unknown): boolean {
  if (!InterlinguaError.is(error) || error.cause === CLOSED) return false;
  const { code, status = 0 } = error;
  return PASSING.has(code) || (code === "internal" && FROM_PROXIES.has(status));
}

/** Without a code of the daemon they come from something before it. */
const FROM_PROXIES: ReadonlySet<number> = new Set([502, 503, 504]);

const PASSING: ReadonlySet<string> = new Set([
  "unreachable",
  "too_many_requests",
  "shutting_down",
  "store_busy",
]);

/** How long nobody has answered. Not by the time of day, which may be set. */
export class Patience {
  readonly #ms: number;
  #lastContact = performance.now();

  constructor(ms: number) {
    this.#ms = ms;
  }

  contact(): void {
    this.#lastContact = performance.now();
  }

  get isOver(): boolean {
    return performance.now() - this.#lastContact > this.#ms;
  }

  /** Something took so much longer than it can: the machine slept. That is no waiting. */
  overslept(ms: number): void {
    if (ms > OVERSLEPT_MS) this.#lastContact += ms;
  }
}

interface AskOptions {
  readonly signal?: AbortSignal;
  readonly unreachableMs?: number;
}

/** Asks again until somebody answers. Only for what may happen twice. */
export async function askUntilAnswered<Answer>(
  ask: (timeoutMs: number) => Promise<Answer>,
  { signal, unreachableMs = UNREACHABLE_MS }: AskOptions,
): Promise<Answer> {
  const backoff = new Backoff();
  const patience = new Patience(unreachableMs);
  const timeoutMs = Math.min(unreachableMs, ANSWER_MS);
  while (true) {
    const began = performance.now();
    try {
      return await ask(timeoutMs);
    } catch (error) {
      patience.overslept(performance.now() - began - timeoutMs);
      if (signal?.aborted || !isPassing(error) || patience.isOver) throw error;
      patience.overslept(await backoff.pause(signal));
    }
  }
}
