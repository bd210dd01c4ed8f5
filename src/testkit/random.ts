/** Random choices that follow from a seed, so that whatever went wrong can be played again. */

export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than 1. (Mulberry32.) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** At least `least` and at most `most`. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** A size up to `most`: small ones as often as large ones, and the ends more often than anything between. */
  size(most: number): number {
    if (this.chance(0.15)) return 0;
    if (this.chance(0.1)) return most;
    return Math.floor(Math.exp(this.next() * Math.log(most + 1)));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.next() * items.length)]!;
  }
}

/**
 * From `SEED` in the environment, or a new one. It is printed: with it the same run can be had again.
 *
 * @example const random = seededRandom("hostile agent");
 */
export function seededRandom(suite: string): Random {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  console.log(`${suite}: SEED=${seed}`);
  return new Random(seed);
}
