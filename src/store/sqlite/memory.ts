/** What is kept of a session beside its log, in pieces. */
import { type MemoryPiece, rangeBelow } from "../../core/memory-piece.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { type PackedPiece, pieceChecksum, type StoredPiece, unpackPiece } from "../format/pack-memory.ts";
import type { Connection } from "./connection.ts";
import { findLog } from "./session-row.ts";

export type PiecePlace = Pick<StoredPiece, "part" | "seq">;

const WRITE = `INSERT INTO memory (session, part, seq, codec, data, checksum) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, part, seq) DO UPDATE SET codec = excluded.codec, data = excluded.data, checksum = excluded.checksum`;
const REMOVE = "DELETE FROM memory WHERE session = ? AND part = ? AND seq < ?";
const SELECT =
  "SELECT part, seq, codec, data, checksum FROM memory WHERE session = ? AND part = ? AND seq = ?";
const SELECT_PLACES_BELOW = `SELECT part, seq FROM memory WHERE session = ? AND (part = ? OR part >= ? AND part < ?)
  ORDER BY part, seq`;

export const SELECT_PLACES = "SELECT part, seq FROM memory WHERE session = ? ORDER BY part, seq";

export function writePiece(connection: Connection, session: number, piece: PackedPiece): void {
  const { part, seq, packed, replaces } = piece;
  if (replaces) connection.run(REMOVE, session, part, packed ? seq : seq + 1);
  if (!packed) return;
  const checksum = pieceChecksum(packed, session, piece);
  connection.run(WRITE, session, part, seq, packed.codec, packed.data, checksum);
}

/** Undefined when it was replaced since. Throws when it is not what was stored. */
export async function readPiece(
  connection: Connection,
  session: number,
  place: PiecePlace,
): Promise<MemoryPiece | undefined> {
  const stored = findPiece(connection, session, place);
  return stored && unpackPiece(session, stored);
}

function findPiece(
  connection: Connection,
  session: number,
  { part, seq }: PiecePlace,
): StoredPiece | undefined {
  const stored = connection.get<StoredPiece>(SELECT, session, part, seq);
  if (stored && (stored.part !== part || stored.seq !== seq))
    throw new DamagedDataError(`piece ${seq} of "${part}" is not where it belongs`);
  return stored;
}

/** All as they are at one moment. Throws where a piece is not what was stored. */
export async function* readMemory(
  connection: Connection,
  key: string,
  part?: string,
): AsyncGenerator<MemoryPiece> {
  const log = findLog(connection, key);
  if (!log) return;
  const pieces = connection.snapshot(() =>
    findPlaces(connection, log.id, part).map((place) => findPiece(connection, log.id, place)),
  );
  for (const piece of pieces) if (piece) yield await unpackPiece(log.id, piece);
}

function findPlaces(connection: Connection, session: number, part?: string): PiecePlace[] {
  if (part === undefined) return connection.all(SELECT_PLACES, session);
  return connection.all(SELECT_PLACES_BELOW, session, part, ...rangeBelow(part));
}
