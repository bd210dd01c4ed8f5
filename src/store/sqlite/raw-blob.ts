/** The data of raw records that are too large for their line. */
import type { RawRecord } from "../../core/raw-record.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { packedChecksum, type StoredContent, unpackOldContent } from "../format/packed-content.ts";
import type { RawBlob } from "../format/raw-line.ts";
import { parseLong } from "../parse-long.ts";
import type { Connection } from "./connection.ts";

const INSERT = "INSERT INTO raw_blob (session, raw_seq, codec, data, checksum) VALUES (?, ?, ?, ?, ?)";
const SELECT = "SELECT codec, data, checksum FROM raw_blob WHERE session = ? AND raw_seq = ?";

export function insertRawBlob(connection: Connection, session: number, { rawSeq, packed }: RawBlob): void {
  const checksum = packedChecksum(packed, [session, rawSeq]);
  connection.run(INSERT, session, rawSeq, packed.codec, packed.data, checksum);
}

/** Throws a `DamagedDataError` when it is missing or not what was stored. */
export async function readRawBlob(
  connection: Connection,
  session: number,
  rawSeq: number,
): Promise<RawRecord["data"]> {
  const what = `the data of raw record ${rawSeq}`;
  const stored = connection.get<StoredContent>(SELECT, session, rawSeq);
  if (!stored) throw new DamagedDataError(`${what} is missing`);
  return parseLong(await unpackOldContent(stored, what, [session, rawSeq]), what);
}
