/** A token bucket for each key. A bucket refills at a steady rate. */

const MAX_KEYS = 10_000;

export class RefillingBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** `now` returns monotonic milliseconds. */
  constructor(perSecond: number, burst: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#now = now;
  }

  /** Takes one and returns 0, or takes none and returns the seconds until there is one. */
  take(key: string): number {
    const bucket = this.#filled(key);
    if (bucket.tokens < 1) return (1 - bucket.tokens) / this.#perSecond;
    bucket.tokens -= 1;
    return 0;
  }

  /** The seconds until there is one; 0 when there is one now. */
  wait(key: string): number {
    const { tokens } = this.#filled(key);
    return tokens < 1 ? (1 - tokens) / this.#perSecond : 0;
  }

  /** How many keys it remembers. */
  get size(): number {
    return this.#buckets.size;
  }

  #filled(key: string): { tokens: number; at: number } {
    const now = this.#now();
    const bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MAX_KEYS) this.#forgetFull(now);
      const fresh = { tokens: this.#burst, at: now };
      this.#buckets.set(key, fresh);
      return fresh;
    }
    bucket.tokens = this.#tokensAt(bucket, now);
    bucket.at = now;
    return bucket;
  }

  #tokensAt(bucket: { tokens: number; at: number }, now: number): number {
    return Math.min(this.#burst, bucket.tokens + ((now - bucket.at) / 1000) * this.#perSecond);
  }

  /** A full bucket need not be kept. */
  #forgetFull(now: number): void {
    for (const [key, bucket] of this.#buckets)
      if (this.#tokensAt(bucket, now) >= this.#burst) this.#buckets.delete(key);
  }
}
