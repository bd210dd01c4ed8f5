/** Who did what, as rows of the `audit` table. */
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type AuditRow,
  MAX_AUDIT_ENTRIES,
} from "../../core/people-store.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import {
  AUDIT_COLUMNS,
  type StoredAuditEntry,
  toAuditColumns,
  toAuditRow,
} from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import { Conditions } from "./conditions.ts";
import type { Connection } from "./connection.ts";

type CheckedEntry = StoredAuditEntry & { checksum: Checksum };

const CHECKED = ["seq", ...AUDIT_COLUMNS] as const;
const ALL = [...CHECKED, "checksum"];
const INSERT = `INSERT INTO audit (${ALL.join(", ")}) VALUES (${ALL.map(() => "?").join(", ")})`;
/** What AUTOINCREMENT remembers, so that a number is not used again when its entry is gone. */
const SELECT_LAST = "SELECT seq FROM sqlite_sequence WHERE name = 'audit'";

/** Also when a name has that of a client behind it. */
const BY = "(actor = ? OR (actor >= ? || ' (' AND actor < ? || ' )'))";

/** In the given order. Removes what is too old. */
export function appendAudit(connection: Connection, entries: readonly AuditEntry[]): void {
  if (entries.length === 0) return;
  connection.transaction(() => {
    let seq = connection.get<{ seq: number }>(SELECT_LAST)?.seq ?? 0;
    for (const entry of entries) {
      seq += 1;
      insertEntry(connection, seq, entry);
    }
    connection.run("DELETE FROM audit WHERE seq <= ?", seq - MAX_AUDIT_ENTRIES);
  });
}

/** With the numbers they have. For copies into an empty database. */
export function importAudit(connection: Connection, entries: readonly AuditRow[]): void {
  connection.transaction(() => {
    for (const entry of entries) insertEntry(connection, entry.seq, entry);
  });
}

function insertEntry(connection: Connection, seq: number, entry: AuditEntry): void {
  const columns = { seq, ...toAuditColumns(entry) };
  const values = CHECKED.map((column) => columns[column]);
  connection.run(INSERT, ...values, rowChecksum(values));
}

/** Newest first. */
export function readAudit(connection: Connection, query: AuditQuery, leaveOut: LeaveOut): AuditPage {
  const { sql, values } = auditStatement(query);
  const rows = connection.all<CheckedEntry>(sql, ...values);
  const { before = Number.POSITIVE_INFINITY } = query;
  let last = before;
  const read = (stored: CheckedEntry) => {
    if (stored.seq >= last) throw new DamagedDataError("an index has its rows twice or in the wrong order");
    last = stored.seq;
    return readStored(stored);
  };
  const entries = readRows(rows.slice(0, query.limit), leaveOut, read, ({ seq }) => String(seq));
  return rows.length > query.limit && last < before ? { entries, before: last } : { entries };
}

export function auditStatement({ session, before, by, limit }: AuditQuery) {
  const conditions = new Conditions();
  conditions.addText("session = ?", session);
  if (before !== undefined) conditions.add("seq < ?", before);
  if (by !== undefined) conditions.add(BY, by, by, by);
  return {
    sql: `SELECT ${ALL.join(", ")} FROM audit ${conditions.where} ORDER BY seq DESC LIMIT ?`,
    values: [...conditions.values, limit + 1],
  };
}

function readStored(stored: CheckedEntry): AuditRow {
  assertChecksum(stored.checksum, `entry ${stored.seq} of the audit log`, () =>
    rowChecksum(CHECKED.map((column) => stored[column])),
  );
  return toAuditRow(stored);
}
