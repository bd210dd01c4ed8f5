/** What all channels together keep of the recent past: one budget, and nothing is kept of a session that has gone quiet. */

interface Keeper {
  /** Everything it keeps. */
  forgetRecent(): void;
}

export class RecentMemory {
  readonly #maxLength: number;
  /** How much each keeps; the one that got something last stands last. */
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

  /** `keeper` has got something, and keeps so much now. */
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

  /** It is of no use any more, or has been quiet for long. */
  forget(keeper: Keeper): void {
    this.#remove(keeper);
    keeper.forgetRecent();
  }

  /** Forgets what is kept of sessions in which nothing happened since the last call. */
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
