/** Cuts parts of a log into blocks and packs them. */
import { setImmediate } from "node:timers/promises";
import type { Packed } from "../codec.ts";
import { packLines } from "./block.ts";
import { cutBlocks, type LogPart, type OpenBlock } from "./cut-blocks.ts";

export interface PackedBlock {
  block: OpenBlock;
  packed: Packed;
}

/** Outside of a transaction. Between blocks others have their turn: each costs about a millisecond. */
export async function packBlocks(parts: Iterable<LogPart>): Promise<PackedBlock[]> {
  const blocks: PackedBlock[] = [];
  for (const block of cutBlocks(parts)) {
    if (blocks.length > 0) await setImmediate();
    blocks.push({ block, packed: await packLines(block) });
  }
  return blocks;
}
