/** What fits on one page: so many entries, so many bytes, but never none when there are some. */
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

  /** True when an entry of this text, and of so many bytes kept elsewhere, still fits; it then counts. */
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
