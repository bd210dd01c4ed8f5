/**
 * Asks the shared thread pool for something small, again and again, and knows whether it answers. File work, name lookups and
 * compression wait for the pool, while the event loop goes on and requests are answered.
 */
import { randomBytes } from "node:crypto";
import type { MetricSample } from "./metrics.ts";

/** The pause between two questions. */
const PERIOD_MS = 2000;

/** A pool that works hard answers long before. */
const LIMIT_MS = 10_000;

export interface ThreadPoolProbeOptions {
  periodMs?: number;
  limitMs?: number;
  /** Asks the pool. By default work that touches no file. */
  ask?(done: () => void): void;
  /** Monotonic. */
  now?(): number;
  /** Starts a timer, and returns a function that cancels it. */
  setTimer?(act: () => void, milliseconds: number): () => void;
  logger: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

export type ThreadPoolState =
  | { readonly is: "answering" }
  /** `isLate` once that takes longer than the limit. */
  | { readonly is: "waiting"; readonly since: number; readonly isLate: boolean };

export class ThreadPoolProbe {
  readonly #options: Required<ThreadPoolProbeOptions>;
  #state: ThreadPoolState = { is: "answering" };
  #cancelTimer = () => {};
  #isStopped = false;

  constructor(options: ThreadPoolProbeOptions) {
    const now = () => performance.now();
    const defaults = { periodMs: PERIOD_MS, limitMs: LIMIT_MS, ask: askPool, now, setTimer: startTimer };
    this.#options = { ...defaults, ...options };
    this.#askLater();
  }

  get state(): ThreadPoolState {
    return this.#state;
  }

  /** How long the pool has not answered, and what to do; undefined while it answers in time. */
  get problem(): string | undefined {
    if (this.#state.is !== "waiting" || !this.#state.isLate) return undefined;
    const seconds = Math.floor((this.#options.now() - this.#state.since) / 1000);
    return `Work with files has stood still for ${seconds} seconds: all threads of the daemon wait for files that do not answer, such as a FIFO or a lost network drive. Remove the cause, or restart the daemon.`;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }

  #askLater(): void {
    this.#after(this.#options.periodMs, () => this.#ask());
  }

  /** There is never more than one question. */
  #ask(): void {
    const { ask, now, limitMs } = this.#options;
    const since = now();
    this.#state = { is: "waiting", since, isLate: false };
    this.#after(limitMs, () => this.#checkLate());
    ask(() => this.#noteAnswer());
  }

  /**
   * After a pause of the whole process, or a blocked event loop, the timer comes before the answer that is already there.
   * One turn of the loop delivers that answer.
   */
  #checkLate(): void {
    const question = this.#state;
    setImmediate(() => {
      if (!this.#isStopped && question.is === "waiting" && this.#state === question)
        this.#noteLate(question.since);
    });
  }

  #noteLate(since: number): void {
    this.#state = { is: "waiting", since, isLate: true };
    this.#options.logger.error({ threadPool: "blocked" }, this.problem!);
  }

  #noteAnswer(): void {
    const wasLate = this.#state.is === "waiting" && this.#state.isLate;
    this.#state = { is: "answering" };
    if (this.#isStopped) return;
    if (wasLate) this.#options.logger.info({ threadPool: "answering" }, "work with files goes on again");
    this.#askLater();
  }

  #after(milliseconds: number, act: () => void): void {
    this.#cancelTimer();
    if (!this.#isStopped) this.#cancelTimer = this.#options.setTimer(act, milliseconds);
  }
}

function startTimer(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
}

function askPool(done: () => void): void {
  randomBytes(1, () => done());
}

export function threadPoolMetrics({ problem }: Pick<ThreadPoolProbe, "problem">): MetricSample[] {
  return [
    {
      name: "thread_pool_answers",
      type: "gauge",
      help: "0 while file work stands still",
      value: problem === undefined ? 1 : 0,
    },
  ];
}
