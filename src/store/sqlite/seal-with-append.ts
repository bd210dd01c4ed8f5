import { packNow } from "../codec.ts";
import { blockText } from "../format/block.ts";
import { BLOCK_BYTES, BLOCK_EVENTS, cutBlocks, type LogPart } from "../format/cut-blocks.ts";
import type { Connection } from "./connection.ts";
import { insertBlock } from "./insert-block.ts";
import type { LogExtent } from "./session-row.ts";
import { assertTailRow, SELECT_TAIL, type TailRow } from "./tail-row.ts";

/** An append of this size gets its own block, however short the tail is. */
const LARGE_COMMIT_EVENTS = BLOCK_EVENTS / 4;
const LARGE_COMMIT_BYTES = BLOCK_BYTES / 4;

/** More is packed outside the transaction, which blocks everybody else. */
const MAX_SEAL_BYTES = 16 * BLOCK_BYTES;

const DELETE_TAIL = "DELETE FROM tail WHERE session = ?";

type Tail = Pick<LogExtent, "tail_events" | "tail_bytes">;

interface Size {
  events: number;
  bytes: number;
}

export function sizeOf(parts: readonly LogPart[]): Size {
  let [events, bytes] = [0, 0];
  for (const part of parts) {
    events += part.last - part.first + 1;
    bytes += part.events.length + part.raws.length;
  }
  return { events, bytes };
}

export function isTooLargeToSeal(bytes: number): boolean {
  return bytes > MAX_SEAL_BYTES;
}

export function canBeSealed(tail: Tail): boolean {
  return tail.tail_bytes <= MAX_SEAL_BYTES;
}

export function isWorthSealing(tail: Tail, { events, bytes }: Size): boolean {
  if (tail.tail_bytes + bytes > MAX_SEAL_BYTES) return false;
  const isLarge = events >= LARGE_COMMIT_EVENTS || bytes >= LARGE_COMMIT_BYTES;
  return isLarge || tail.tail_events + events >= BLOCK_EVENTS || tail.tail_bytes + bytes >= BLOCK_BYTES;
}

/** Leaves the session without a tail. Must run inside a transaction. */
export function sealWithAppend(
  connection: Connection,
  session: number,
  tail: Tail,
  added: readonly LogPart[],
): void {
  const rows = tail.tail_bytes > 0 ? connection.all<TailRow>(SELECT_TAIL, session) : [];
  for (const row of rows) assertTailRow(session, row);
  for (const block of cutBlocks([...rows, ...added])) {
    insertBlock(connection, session, block, packNow(blockText(block)));
  }
  if (rows.length > 0) connection.run(DELETE_TAIL, session);
}
