/** Writes one packed block. */
import type { Packed } from "../codec.ts";
import type { Span } from "./block.ts";
import type { Connection } from "./connection.ts";

const INSERT_BLOCK = `INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function insertBlock(connection: Connection, session: number, span: Span, packed: Packed): void {
  const { first, last, raw_first, raw_last, format } = span;
  connection.run(INSERT_BLOCK, session, first, last, raw_first, raw_last, format, packed.codec, packed.data);
}
