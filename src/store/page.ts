/** Cutting one page out of a numbered list: so many entries, so many bytes, but never none when there are some. */

export interface PageLimits<Entry> {
  limit: number;
  maxBytes?: number;
  sizeOf(entry: Entry): number;
}

/** The entries that follow number `after`, where `entries[0]` is number 1. */
export function takePage<Entry>(
  entries: readonly Entry[],
  after: number,
  limits: PageLimits<Entry>,
): Entry[] {
  const page = new PageBudget(limits.limit, limits.maxBytes);
  const taken: Entry[] = [];
  for (let index = after; index < entries.length; index += 1) {
    const entry = entries[index] as Entry;
    if (!page.take(limits.sizeOf(entry))) break;
    taken.push(entry);
  }
  return taken;
}

/** What is left of a page while entries are added. */
export class PageBudget {
  #entries: number;
  #bytes: number;
  #empty = true;

  constructor(limit: number, maxBytes = Number.POSITIVE_INFINITY) {
    this.#entries = limit;
    this.#bytes = maxBytes;
  }

  get full(): boolean {
    return this.#entries <= 0 || (this.#bytes <= 0 && !this.#empty);
  }

  /** True when an entry of this size still fits; it then counts. The first one always fits. */
  take(bytes: number): boolean {
    if (this.#entries <= 0 || (bytes > this.#bytes && !this.#empty)) return false;
    this.#entries -= 1;
    this.#bytes -= bytes;
    this.#empty = false;
    return true;
  }
}
