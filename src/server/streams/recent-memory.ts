/** Limits the recent events that all channels keep together. Nothing is kept for a session that has gone quiet. */

interface Keeper {
  /** Drops everything it keeps. */
  forgetRecent(): void;
}

export class RecentMemory {
  readonly #maxLength: number;
  /** How much each keeps, least recently used first. */
  readonly #keepers = new Map<Keeper, number>();
  /** Those that got something since the last sweep. */
  #busy = new Set<Keeper>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  /** `keeper` got new events and keeps this much now. */
  note(keeper: Keeper, length: number): void {
    this.#remove(keeper);
    this.#busy.add(keeper);
    this.#keepers.set(keeper, length);
    this.#length += length;
    for (const oldest of this.#keepers.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.forget(oldest);
    }
  }

  /** It is no longer used, or has been quiet for long. */
  forget(keeper: Keeper): void {
    this.#remove(keeper);
    keeper.forgetRecent();
  }

  /** Drops what is kept for sessions in which nothing happened since the last call. */
  sweep(): void {
    for (const keeper of [...this.#keepers.keys()]) if (!this.#busy.has(keeper)) this.forget(keeper);
    this.#busy = new Set();
  }

  #remove(keeper: Keeper): void {
    this.#length -= this.#keepers.get(keeper) ?? 0;
    this.#keepers.delete(keeper);
    this.#busy.delete(keeper);
  }
}
