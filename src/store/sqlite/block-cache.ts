/** Unpacked blocks, the last used ones first: many readers catch up over the same span at the same time. */
import type { BlockLines } from "./block.ts";

export const BLOCK_CACHE_BYTES = 8 * 1024 * 1024;

interface Entry {
  lines: BlockLines;
  bytes: number;
}

export class BlockCache {
  readonly #limit: number;
  /** In order of use: the first is the one used longest ago. */
  readonly #entries = new Map<number, Entry>();
  #bytes = 0;

  constructor(limit = BLOCK_CACHE_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(block: number): BlockLines | undefined {
    const entry = this.#entries.get(block);
    if (!entry) return undefined;
    this.#entries.delete(block);
    this.#entries.set(block, entry);
    return entry.lines;
  }

  set(block: number, lines: BlockLines): void {
    const bytes = sizeOf(lines);
    // A block that fills the cache alone would push out all others for one reader.
    if (bytes > this.#limit / 4 || this.#entries.has(block)) return;
    this.#entries.set(block, { lines, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}

/** Two bytes a character at worst, and what a string costs besides. */
function sizeOf(lines: BlockLines): number {
  let bytes = 0;
  for (const line of lines.events) bytes += 2 * line.length + 32;
  for (const line of lines.raws) bytes += 2 * line.length + 32;
  return bytes;
}
