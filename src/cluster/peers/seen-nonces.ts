/** Which requests were there already, for as long as one of them could be sent again. Bounded. */

export interface SeenNoncesOptions {
  /** A request is refused anyway when its time differs from ours by more. */
  windowMs: number;
  maxNonces?: number;
}

/** Some 20 MB at most. A thousand requests a second for two minutes fit in. */
const MAX_NONCES = 150_000;

export class SeenNonces {
  readonly #windowMs: number;
  readonly #maxNonces: number;
  /** The time of each request, in the order they came. */
  readonly #times = new Map<string, number>();
  /** What was signed until then may have been here and is forgotten. */
  #forgottenUntil = Number.NEGATIVE_INFINITY;

  constructor({ windowMs, maxNonces = MAX_NONCES }: SeenNoncesOptions) {
    this.#windowMs = windowMs;
    this.#maxNonces = maxNonces;
  }

  get size(): number {
    return this.#times.size;
  }

  /** False if it was there before, or may have been. */
  note({ nonce, at }: { nonce: string; at: number }, now: number): boolean {
    this.#forgetOld(now);
    if (at <= this.#forgottenUntil || this.#times.has(nonce)) return false;
    this.#times.set(nonce, at);
    if (this.#times.size > this.#maxNonces) this.#forgetFirst();
    return true;
  }

  /** The first that is not old ends it: one that is kept too long does no harm. */
  #forgetOld(now: number): void {
    for (const [nonce, at] of this.#times) {
      if (at >= now - this.#windowMs) return;
      this.#forget(nonce, at);
    }
  }

  #forgetFirst(): void {
    const [nonce, at] = this.#times.entries().next().value!;
    this.#forget(nonce, at);
  }

  /** It stays refused also where the clock is set back. */
  #forget(nonce: string, at: number): void {
    this.#times.delete(nonce);
    this.#forgottenUntil = Math.max(this.#forgottenUntil, at);
  }
}
