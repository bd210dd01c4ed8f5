/** Writes one packed block. */
import { CODEC_ZSTD } from "../codec.ts";
import type { Span } from "./block.ts";
import type { Connection } from "./connection.ts";

const INSERT_BLOCK = `INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, data)
  VALUES (?, ?, ?, ?, ?, ?, ${CODEC_ZSTD}, ?)`;

export function insertBlock(connection: Connection, session: number, span: Span, data: Uint8Array): void {
  const { first, last, raw_first, raw_last, format } = span;
  connection.run(INSERT_BLOCK, session, first, last, raw_first, raw_last, format, data);
}
