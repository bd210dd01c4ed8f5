/** Packs one session's tail into blocks. */
import { isDamage } from "../damaged-data.ts";
import { type Span, unpackLines } from "../format/block.ts";
import { BLOCK_BYTES, BLOCK_EVENTS, type LogPart } from "../format/cut-blocks.ts";
import { packBlocks } from "../format/pack-blocks.ts";
import type { StoredContent } from "../format/packed-content.ts";
import type { Connection } from "./connection.ts";
import { insertBlock } from "./insert-block.ts";
import { advanceSession, findLogByNumber } from "./session-row.ts";
import { assertTailRow, SELECT_TAIL, type TailRow } from "./tail-row.ts";

interface LastBlock extends Span {
  id: number;
  bytes: number;
}

/** A tail can be long if packing failed for a while; no more than this is held in memory. */
const ROUND_BYTES = 8 * 1024 * 1024;

/** The largest packed size of a last block that is looked at again. */
const SMALL_BLOCK_BYTES = 16 * 1024;

/** Not by `id` alone: when a tail was sealed with an append meanwhile, its numbers are used again. */
const DELETE_TAIL = "DELETE FROM tail WHERE session = ? AND id <= ? AND last <= ? AND raw_last <= ?";

const SELECT_LAST_BLOCK = `SELECT id, first, last, raw_first, raw_last, format, length(data) AS bytes FROM block
  WHERE session = ? ORDER BY last DESC, id DESC LIMIT 1`;
const SELECT_CONTENT = "SELECT codec, data, checksum FROM block WHERE id = ?";
const DELETE_BLOCK = "DELETE FROM block WHERE id = ?";

/** Must not run twice at once for one session. Throws and changes nothing if the tail is damaged. */
export async function sealSession(connection: Connection, session: number): Promise<void> {
  let more = true;
  while (more) {
    const tail = readTail(connection, session);
    if (tail.rows.length > 0) await sealRows(connection, session, tail);
    more = tail.bytes >= ROUND_BYTES;
  }
}

function readTail(connection: Connection, session: number): { rows: TailRow[]; bytes: number } {
  const rows: TailRow[] = [];
  let bytes = 0;
  for (const row of connection.iterate<TailRow>(SELECT_TAIL, session)) {
    // Otherwise damaged data would get a valid checksum.
    assertTailRow(session, row);
    rows.push(row);
    bytes += row.events.length + row.raws.length;
    if (bytes >= ROUND_BYTES) break;
  }
  return { rows, bytes };
}

/** A crash leaves either the rows or the blocks: both change in one transaction, after the packing. */
async function sealRows(
  connection: Connection,
  session: number,
  { rows, bytes }: { rows: TailRow[]; bytes: number },
): Promise<void> {
  // A damaged block stays as it is: what follows it can be packed all the same.
  const small = await readSmallBlock(connection, session).catch((error: unknown) => {
    if (isDamage(error)) return undefined;
    throw error;
  });
  const blocks = await packBlocks(small ? [small, ...rows] : rows);
  connection.transaction(() => {
    const newest = rows.at(-1) as TailRow;
    const deleted = connection.run(DELETE_TAIL, session, newest.id, newest.last, newest.raw_last);
    // Fewer when the session was deleted or its tail sealed with an append meanwhile.
    if (deleted !== rows.length) return;
    if (small) connection.run(DELETE_BLOCK, small.id);
    for (const { block, packed } of blocks) insertBlock(connection, session, block, packed);
    const events = rows.reduce((sum, row) => sum + row.last - row.first + 1, 0);
    const log = findLogByNumber(connection, session)!;
    const { tail_events, tail_bytes } = log;
    advanceSession(connection, log, {
      ...log,
      tail_events: tail_events - events,
      tail_bytes: tail_bytes - bytes,
    });
  });
}

/** A last block that is less than half full is packed again with what follows: many short turns pack like a long one. */
async function readSmallBlock(
  connection: Connection,
  session: number,
): Promise<(LogPart & { id: number }) | undefined> {
  const block = connection.get<LastBlock>(SELECT_LAST_BLOCK, session);
  if (!block || block.bytes > SMALL_BLOCK_BYTES || block.last - block.first >= BLOCK_EVENTS / 2)
    return undefined;
  const stored = connection.get<StoredContent>(SELECT_CONTENT, block.id)!;
  const lines = await unpackLines(session, block, stored);
  const [events, raws] = [lines.events.join("\n"), lines.raws.join("\n")];
  return events.length + raws.length < BLOCK_BYTES / 2 ? { ...block, events, raws } : undefined;
}
