/** Format 2: a checksum beside everything that readers get. Rows that are there already have none until rewritten. */
import type { Connection } from "../connection.ts";

export const CHECKSUM_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  session: ["row_checksum", "log_checksum"],
  snapshot: ["checksum"],
  tail: ["events_checksum", "raws_checksum"],
  block: ["checksum"],
  raw_blob: ["checksum"],
  message: ["checksum", "record_checksum"],
  ask: ["checksum"],
  usage_day: ["checksum"],
};

export function addChecksums(connection: Connection): void {
  for (const [table, columns] of Object.entries(CHECKSUM_COLUMNS))
    for (const column of columns) connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column} INTEGER`);
}
