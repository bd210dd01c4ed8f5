/** A least recently used cache with a size limit, for pages of logs and folded messages. */

export class SizedCache<Value extends { readonly length: number }> {
  readonly #maxLength: number;
  /** Least recently used first. */
  readonly #values = new Map<string, Value>();
  #length = 0;
  #isUsed = false;

  /** `maxLength` is the sum of the lengths of all that is kept. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get(key: string): Value | undefined {
    this.#isUsed = true;
    const value = this.#values.get(key);
    if (!value) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#isUsed = true;
    this.#remove(key);
    this.#values.set(key, value);
    this.#length += value.length;
    for (const oldest of this.#values.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.#remove(oldest);
    }
  }

  /** Clears the cache if nothing was used since the last call. */
  sweep(): void {
    if (!this.#isUsed) {
      this.#values.clear();
      this.#length = 0;
    }
    this.#isUsed = false;
  }

  #remove(key: string): void {
    this.#length -= this.#values.get(key)?.length ?? 0;
    this.#values.delete(key);
  }
}
