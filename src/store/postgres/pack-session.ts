/** Packs one session's tail into blocks, with one statement that compares the epoch and how far it was packed before. */
import { isDamage } from "../damaged-data.ts";
import { placeOfBlock, type Span, unpackLines } from "../format/block.ts";
import { BLOCK_BYTES, BLOCK_EVENTS, type LogPart } from "../format/cut-blocks.ts";
import { type PackedBlock, packBlocks } from "../format/pack-blocks.ts";
import { packedChecksum, type StoredContent } from "../format/packed-content.ts";
import { ByteParameter, cutPiece } from "./byte-parameter.ts";
import type { PostgresConnection, Statement } from "./connection.ts";
import { storedTailLines, type TailRow } from "./postgres-log.ts";

interface FoundTail extends TailRow {
  epoch: number;
  packed: number;
  raw_packed: number;
}

type SmallBlock = LogPart & { id: number };

/** A tail can be long if packing failed for a while; no more than this is held in memory. */
const ROUND_BYTES = 8 * 1024 * 1024;

/** The largest packed size of a last block that is looked at again. */
const SMALL_BLOCK_BYTES = 16 * 1024;

const SELECT_TAIL: Statement = {
  name: "select_tail",
  text: `SELECT h.epoch, h.packed, h.raw_packed, t.first, t.last, t.raw_first, t.raw_last, t.format, t.checksum, t.data
    FROM log_head h JOIN (SELECT *, sum(length(data)) OVER (ORDER BY last, raw_last) - length(data) AS before
      FROM tail WHERE session = $1) t USING (session)
    WHERE t.before < ${ROUND_BYTES} ORDER BY t.last, t.raw_last`,
};

const SELECT_SMALL: Statement = {
  name: "select_small_block",
  text: `SELECT id, first, last, raw_first, raw_last, format, codec, checksum,
      CASE WHEN length(data) <= ${SMALL_BLOCK_BYTES} THEN data END AS data
    FROM block WHERE session = $1 ORDER BY last DESC, raw_last DESC LIMIT 1`,
};

const PACK: Statement = {
  name: "pack",
  text: `WITH h AS (UPDATE log_head SET packed = $5, raw_packed = $6, tail_events = tail_events - $7,
      tail_bytes = tail_bytes - $8 WHERE session = $1 AND epoch = $2 AND packed = $3 AND raw_packed = $4 RETURNING session),
    t AS (DELETE FROM tail USING h WHERE tail.session = h.session AND tail.last <= $5 AND tail.raw_last <= $6),
    small AS (DELETE FROM block USING h WHERE block.session = h.session AND block.id = $9)
    INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, checksum, data)
    SELECT h.session, p.first, p.last, p.raw_first, p.raw_last, p.format, p.codec, p.checksum, ${cutPiece("$10::bytea", "p")}
    FROM h, jsonb_to_recordset($11::jsonb) AS p(n int, first bigint, last bigint, raw_first bigint, raw_last bigint,
      format smallint, codec smallint, checksum bigint, off int, len int) ORDER BY p.n`,
};

/** Must not run twice at once for one session; if it does, one of them changes nothing. Returns the number of bytes it packed. */
export async function packSession(connection: PostgresConnection, session: number): Promise<number> {
  for (let packed = 0; ; ) {
    const rows = await connection.query<FoundTail>(SELECT_TAIL, [session]);
    if (rows.length === 0) return packed;
    await packRows(connection, session, rows);
    const bytes = rows.reduce((sum, { data }) => sum + data.length, 0);
    packed += bytes;
    if (bytes < ROUND_BYTES) return packed;
  }
}

async function packRows(
  connection: PostgresConnection,
  session: number,
  rows: readonly FoundTail[],
): Promise<void> {
  // Otherwise damaged data would get a valid checksum.
  const parts = rows.map((row) => toPart(session, row));
  // A damaged block stays as it is: what follows it can be packed all the same.
  const small = await readSmallBlock(connection, session).catch((error: unknown) => {
    if (isDamage(error)) return undefined;
    throw error;
  });
  const blocks = await packBlocks(small ? [small, ...parts] : parts);
  const bytes = new ByteParameter();
  const inserted = blocks.map((block, n) => ({
    n,
    ...toColumns(session, block),
    ...bytes.add(block.packed.data),
  }));
  const { epoch, packed, raw_packed } = rows[0]!;
  const newest = rows.at(-1)!;
  await connection.query(PACK, [
    session,
    epoch,
    packed,
    raw_packed,
    newest.last,
    newest.raw_last,
    rows.reduce((sum, { first, last }) => sum + last - first + 1, 0),
    rows.reduce((sum, { data }) => sum + data.length, 0),
    small?.id ?? null,
    bytes.toBuffer(),
    JSON.stringify(inserted),
  ]);
}

function toPart(session: number, row: FoundTail): LogPart {
  const { events, raws } = storedTailLines(session, row);
  const { first, last, raw_first, raw_last, format } = row;
  return { first, last, raw_first, raw_last, format, events: events.join("\n"), raws: raws.join("\n") };
}

function toColumns(session: number, { block, packed }: PackedBlock) {
  const { first, last, raw_first, raw_last, format } = block;
  const checksum = packedChecksum(packed, placeOfBlock(session, block));
  return { first, last, raw_first, raw_last, format, codec: packed.codec, checksum };
}

/** A last block that is less than half full is packed again with what follows: many short turns pack like a long one. */
async function readSmallBlock(
  connection: PostgresConnection,
  session: number,
): Promise<SmallBlock | undefined> {
  const [block] = await connection.query<Span & StoredContent & { id: number }>(SELECT_SMALL, [session]);
  if (!block || (block.data as unknown) === null || block.last - block.first >= BLOCK_EVENTS / 2)
    return undefined;
  const lines = await unpackLines(session, block, block);
  const [events, raws] = [lines.events.join("\n"), lines.raws.join("\n")];
  const { id, first, last, raw_first, raw_last, format } = block;
  const part = { id, first, last, raw_first, raw_last, format, events, raws };
  return events.length + raws.length < BLOCK_BYTES / 2 ? part : undefined;
}
