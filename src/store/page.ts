/** Limits a page by entries and bytes, but allows at least one entry. */
export class PageBudget {
  readonly #limit: number;
  readonly #maxBytes: number | undefined;
  #entries = 0;
  #bytes = 0;

  constructor(limit: number, maxBytes?: number) {
    this.#limit = limit;
    this.#maxBytes = maxBytes;
  }

  /** True when nothing more can fit. */
  get full(): boolean {
    return this.#entries >= this.#limit || (this.#maxBytes !== undefined && this.#bytes >= this.#maxBytes);
  }

  /** True if an entry with this text, and this many bytes kept elsewhere, still fits. Counts it then. */
  takeText(text: string, moreBytes = 0): boolean {
    if (this.#entries >= this.#limit) return false;
    if (this.#maxBytes !== undefined) {
      const bytes = this.#bytes + Buffer.byteLength(text) + moreBytes;
      if (bytes > this.#maxBytes && this.#entries > 0) return false;
      this.#bytes = bytes;
    }
    this.#entries += 1;
    return true;
  }
}
