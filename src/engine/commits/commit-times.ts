/** How long commits take, for the metrics: a histogram, and the share of the last seconds in which one was under way. */

/** Upper bounds of the buckets, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The share is an average in which what is longer ago than this counts little. */
const WINDOW_MS = 10_000;

export interface Histogram {
  /** How many were no longer than each bound, in seconds. */
  readonly buckets: ReadonlyMap<number, number>;
  readonly count: number;
  /** In seconds. */
  readonly sum: number;
}

export class CommitTimes {
  readonly #now: () => number;
  readonly #counts = new Array<number>(BOUNDS.length + 1).fill(0);
  #count = 0;
  #sumMs = 0;
  #beganAt: number | undefined;
  #share = 0;
  #countedAt: number;

  /** `now` in milliseconds, of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#countedAt = now();
  }

  began(): void {
    this.#update();
    this.#beganAt = this.#countedAt;
  }

  /** Returns how long it took, in milliseconds. Only what was written is counted in the histogram. */
  ended(isWritten: boolean): number {
    const beganAt = this.#beganAt ?? this.#now();
    this.#update();
    this.#beganAt = undefined;
    const took = this.#countedAt - beganAt;
    if (isWritten) {
      const bucket = BOUNDS.findIndex((bound) => took <= bound * 1000);
      this.#counts[bucket < 0 ? BOUNDS.length : bucket]! += 1;
      this.#count += 1;
      this.#sumMs += took;
    }
    return took;
  }

  /** From 0 to 1. */
  get saturation(): number {
    this.#update();
    return this.#share;
  }

  get histogram(): Histogram {
    let sum = 0;
    const buckets = new Map(
      BOUNDS.map((bound, place) => {
        sum += this.#counts[place]!;
        return [bound, sum];
      }),
    );
    return { buckets, count: this.#count, sum: this.#sumMs / 1000 };
  }

  #update(): void {
    const now = this.#now();
    const kept = Math.exp((this.#countedAt - now) / WINDOW_MS);
    this.#share = this.#share * kept + (this.#beganAt === undefined ? 0 : 1 - kept);
    this.#countedAt = now;
  }
}
