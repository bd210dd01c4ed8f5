/** Writes one packed block. */
import type { Packed } from "../codec.ts";
import { placeOfBlock, type Span } from "../format/block.ts";
import { packedChecksum } from "../format/packed-content.ts";
import type { Connection } from "./connection.ts";

const INSERT_BLOCK = `INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, data, checksum)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertBlock(connection: Connection, session: number, span: Span, packed: Packed): void {
  const checksum = packedChecksum(packed, placeOfBlock(session, span));
  const { first, last, raw_first, raw_last, format } = span;
  const { codec, data } = packed;
  connection.run(INSERT_BLOCK, session, first, last, raw_first, raw_last, format, codec, data, checksum);
}
