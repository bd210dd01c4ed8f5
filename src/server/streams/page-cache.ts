/** Pages of logs that were read not long ago. Readers that connect at the same time walk through the same ones. */
import type { Segment } from "./segment.ts";

export class PageCache {
  readonly #maxLength: number;
  /** The one used last stands last. */
  readonly #pages = new Map<string, Segment>();
  #length = 0;

  /** `maxLength` is in characters, over all logs. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** A page stays right as the log grows: only shorter than one that would be read now. */
  get(key: string): Segment | undefined {
    const page = this.#pages.get(key);
    if (!page) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  set(key: string, page: Segment): void {
    this.#remove(key);
    this.#pages.set(key, page);
    this.#length += page.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#length <= this.#maxLength) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#length -= this.#pages.get(key)?.length ?? 0;
    this.#pages.delete(key);
  }
}
