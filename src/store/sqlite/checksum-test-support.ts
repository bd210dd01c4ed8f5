/** Makes damage that no checksum reveals. */
import { contentChecksum } from "../format/checksum.ts";
import { packedChecksum } from "../format/packed-content.ts";
import { askChecksum, type StoredAsk } from "./asks.ts";
import type { Connection } from "./connection.ts";
import { messageChecksum, type StoredMessage } from "./messages.ts";
import { givenChecksum, logChecksum, type SessionRecord } from "./session-row.ts";
import type { Snapshot } from "./snapshot.ts";
import { eventsChecksum, rawsChecksum, type TailRow } from "./tail-row.ts";
import { type StoredUsage, usageChecksum } from "./usage.ts";

type OfSession<Row> = Row & { session: number };

/** The checksums of a table, and their values for a row. */
const CHECKED: Readonly<Record<string, Readonly<Record<string, (row: never) => number | null>>>> = {
  session: {
    row_checksum: (row: SessionRecord) => givenChecksum(row),
    log_checksum: (row: SessionRecord) => logChecksum(row, row.key, row),
  },
  snapshot: {
    checksum: ({ session, seq, json }: OfSession<Snapshot>) => contentChecksum(json, `${session} ${seq}`),
  },
  tail: {
    events_checksum: (row: OfSession<TailRow>) => eventsChecksum(row.session, row),
    raws_checksum: (row: OfSession<TailRow>) => rawsChecksum(row.session, row),
  },
  message: {
    checksum: (row: OfSession<StoredMessage>) => messageChecksum(row.session, row),
    record_checksum: ({ session, id, codec, record }: OfSession<StoredMessage>) =>
      codec === null || record === null ? null : packedChecksum({ codec, data: record }, [session, id]),
  },
  ask: { checksum: (row: OfSession<StoredAsk>) => askChecksum(row.session, row) },
  usage_day: { checksum: (row: OfSession<StoredUsage>) => usageChecksum(row.session, row) },
};

/** Gives all rows the checksums that they would have if they had been written as they are now. */
export function computeChecksums(connection: Connection): void {
  for (const [table, columns] of Object.entries(CHECKED)) {
    const values = Object.keys(columns).map((column) => `${column} = ?`);
    const update = `UPDATE ${table} SET ${values.join(", ")} WHERE rowid = ?`;
    for (const { number } of connection.all<{ number: number }>(`SELECT rowid AS number FROM ${table}`)) {
      const row = connection.get<never>(`SELECT * FROM ${table} WHERE rowid = ?`, number)!;
      connection.run(update, ...Object.values(columns).map((compute) => compute(row)), number);
    }
  }
}
