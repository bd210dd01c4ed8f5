/**
 * How often what an agent streams is committed, where a commit costs a round trip and a flush elsewhere. While fewer commits
 * are wanted than the pace allows, none waits: not the first after a pause, nor those of a few sessions. Beyond that commits
 * begin one gap after the other, and each takes what has gathered. The gap grows while commits are slow, so that a busy
 * database gets fewer.
 */

/** The gap between two commits, at least and at most. Nothing waits longer. */
const MIN_GAP_MS = 6;
const MAX_GAP_MS = 10;

/** A commit takes up to half of the gap. */
const GAP_PER_LATENCY = 2;

/** So many commits may begin at once after a pause. */
const MAX_CREDIT = 8;

/** The share of the latest commit in the average. */
const WEIGHT = 0.1;

export class CommitPace {
  readonly #now: () => number;
  /** In commits. It grows by one with each gap. */
  #credit = MAX_CREDIT;
  #countedAt: number;
  #latencyMs = 0;

  /** `now` in milliseconds, of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  get gapMs(): number {
    return Math.min(Math.max(this.#latencyMs * GAP_PER_LATENCY, MIN_GAP_MS), MAX_GAP_MS);
  }

  /** How long a commit that nobody waits for is delayed. */
  get pauseMs(): number {
    this.#count();
    return this.#credit >= 1 ? 0 : (1 - this.#credit) * this.gapMs;
  }

  /** A commit begins, delayed or not. */
  began(): void {
    this.#count();
    this.#credit = Math.max(this.#credit - 1, 0);
  }

  /** An outage is not the speed of the database. */
  ended(latencyMs: number): void {
    this.#count();
    this.#latencyMs += WEIGHT * (Math.min(latencyMs, MAX_GAP_MS) - this.#latencyMs);
  }

  #count(): void {
    const now = this.#now();
    this.#credit = Math.min(this.#credit + (now - this.#countedAt) / this.gapMs, MAX_CREDIT);
    this.#countedAt = now;
  }
}
