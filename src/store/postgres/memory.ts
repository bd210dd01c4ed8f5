/** What is kept of a session beside its log, in pieces. */
import { type MemoryPiece, rangeBelow } from "../../core/memory-piece.ts";
import { type StoredPiece, unpackPiece } from "../format/pack-memory.ts";
import type { PostgresConnection, RunStatement } from "./connection.ts";
import { decodeText, encodeText } from "./stored-text.ts";

export type PiecePlace = Pick<StoredPiece, "part" | "seq">;

export const FIRST_PIECE: PiecePlace = { part: "", seq: -1 };

/** How many pieces are read at once. */
const PIECES_AT_ONCE = 8;

const COLUMNS = "part, seq, codec, checksum, data";

/** Those that follow a place, as they are stored. */
export async function readPieces(
  run: RunStatement,
  session: number,
  after: PiecePlace,
  part?: string,
): Promise<StoredPiece[]> {
  const place = [session, encodeText(after.part), after.seq];
  const below = part === undefined ? "" : "AND (part = $4 OR part >= $5 AND part < $6)";
  const rows = await run<StoredPiece>(
    `SELECT ${COLUMNS} FROM memory WHERE session = $1 AND (part, seq) > ($2, $3) ${below}
      ORDER BY part, seq LIMIT ${PIECES_AT_ONCE}`,
    part === undefined ? place : [...place, ...[part, ...rangeBelow(part)].map(encodeText)],
  );
  return rows.map((row) => ({ ...row, part: decodeText(row.part) }));
}

/** All as they are at one moment. Throws where a piece is not what was stored. */
export async function* readMemory(
  connection: PostgresConnection,
  key: string,
  part?: string,
): AsyncGenerator<MemoryPiece> {
  const { id, pieces } = await connection.snapshot((run) => readAll(run, key, part));
  for (const piece of pieces) yield await unpackPiece(id, piece);
}

/** Before any of it is given on: whoever takes the pieces may take long, and would hold the snapshot. */
async function readAll(run: RunStatement, key: string, part?: string) {
  const [found] = await run<{ id: number }>("SELECT id FROM session WHERE key = $1", [encodeText(key)]);
  const { id } = found ?? { id: 0 };
  const pieces: StoredPiece[] = [];
  let page: StoredPiece[] = found ? await readPieces(run, id, FIRST_PIECE, part) : [];
  while (page.length > 0) {
    pieces.push(...page);
    page = await readPieces(run, id, page.at(-1)!, part);
  }
  return { id, pieces };
}
