/** Somebody who follows a session through one dialect, is cut off at times and comes back. */
import type { SessionEvent } from "../../../src/core/event.ts";

export interface Watcher {
  readonly dialect: string;
  /** Breaks its connection if it has one. It comes back by itself. */
  cut(): void;
  /** Waits until it has all of the log, leaves, and compares what it has understood with what the log says. */
  finish(log: readonly SessionEvent[]): Promise<void>;
  /** Leaves. */
  close(): Promise<void>;
}

/** Does one thing again and again until it is closed; a cut ends it in the middle. */
export class Repeated {
  #connection = new AbortController();
  #isClosed = false;
  readonly #done: Promise<void>;
  /** What went wrong besides cuts. */
  failure: unknown;

  constructor(act: (signal: AbortSignal) => Promise<void>) {
    this.#done = this.#run(act);
  }

  cut(): void {
    this.#connection.abort();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection.abort();
    await this.#done;
  }

  async #run(act: (signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      this.#connection = new AbortController();
      const { signal } = this.#connection;
      try {
        await act(signal);
      } catch (error) {
        if (signal.aborted) continue;
        this.failure = error;
        return;
      }
    }
  }
}
