/** A cache of unpacked blocks: many readers catch up over the same span at the same time. */
import type { BlockLines } from "./block.ts";
import type { Checksum } from "./checksum.ts";

export const BLOCK_CACHE_BYTES = 8 * 1024 * 1024;

export interface CachedBlock {
  session: number;
  first: number;
  raw_first: number;
  /** Of its row, which tells it from another block under the same id. */
  checksum: Checksum;
  lines: BlockLines;
}

interface Entry {
  block: CachedBlock;
  bytes: number;
}

export class BlockCache {
  readonly #limit: number;
  /** Least recently used first. */
  readonly #entries = new Map<number, Entry>();
  #bytes = 0;

  constructor(limit = BLOCK_CACHE_BYTES) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(id: number): CachedBlock | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.block;
  }

  /** Those of one session. */
  idsOf(session: number): number[] {
    return [...this.#entries].filter(([, { block }]) => block.session === session).map(([id]) => id);
  }

  /** Takes the place of what was there under this id. */
  set(id: number, block: CachedBlock): void {
    this.#remove(id);
    const bytes = sizeOf(block.lines);
    // A block that fills the cache would evict all others for one reader.
    if (bytes > this.#limit / 4) return;
    this.#entries.set(id, { block, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limit) break;
      this.#remove(oldest);
    }
  }

  #remove(id: number): void {
    this.#bytes -= this.#entries.get(id)?.bytes ?? 0;
    this.#entries.delete(id);
  }
}

/** Two bytes a character at worst, and what a string costs besides. */
function sizeOf(lines: BlockLines): number {
  let bytes = 0;
  for (const line of lines.events) bytes += 2 * line.length + 32;
  for (const line of lines.raws) bytes += 2 * line.length + 32;
  return bytes;
}
