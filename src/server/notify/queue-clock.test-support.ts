/** A clock that stands still until a test moves it. */
import type { QueueClock } from "./target-queue.ts";

export class ManualClock implements QueueClock {
  #now = 0;
  readonly #timers = new Set<{ at: number; act: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#nextUntil(end); next; next = this.#nextUntil(end)) {
      this.#timers.delete(next);
      this.#now = next.at;
      next.act();
    }
    this.#now = end;
  }

  #nextUntil(end: number): { at: number; act: () => void } | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}
