/** Keeps what was used last, up to a size: pages of logs, folded messages. */

export class SizedCache<Value extends { readonly length: number }> {
  readonly #maxLength: number;
  /** The one used last stands last. */
  readonly #values = new Map<string, Value>();
  #length = 0;

  /** `maxLength` is the sum of the lengths of all that is kept. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (!value) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    this.#values.set(key, value);
    this.#length += value.length;
    for (const oldest of this.#values.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.#remove(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#length = 0;
  }

  #remove(key: string): void {
    this.#length -= this.#values.get(key)?.length ?? 0;
    this.#values.delete(key);
  }
}
