/** Who did what, as rows of the `audit` table. */
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type AuditRow,
  MAX_AUDIT_ENTRIES,
} from "../../core/people-store.ts";
import {
  AUDIT_COLUMNS,
  type StoredAuditEntry,
  toAuditColumns,
  toAuditRow,
} from "../format/people-records.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { LOCKS } from "./schema.ts";
import { decodeTexts, encodeText, encodeTexts } from "./stored-text.ts";

const COLUMNS = AUDIT_COLUMNS.join(", ");
const TYPED = `at bigint, actor text, token text, role text, dialect text, action text, session text, outcome text,
  code text, detail text`;

/**
 * Numbers come from a sequence, so that daemons do not wait for each other. Numbers can be missing, and a higher one can be
 * committed before a lower one. The shared lock tells readers that drawn numbers are not committed yet. Old rows that another
 * daemon removes at the same moment are skipped.
 */
const APPEND = `WITH drawing AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${LOCKS.audit})),
  new AS (INSERT INTO audit (${COLUMNS}) SELECT ${COLUMNS}
    FROM drawing, jsonb_to_recordset($1::jsonb) AS p(n int, ${TYPED}) ORDER BY p.n RETURNING seq),
  old AS (SELECT seq FROM audit WHERE seq <= (SELECT max(seq) FROM new) - ${MAX_AUDIT_ENTRIES} FOR UPDATE SKIP LOCKED)
  DELETE FROM audit USING old WHERE audit.seq = old.seq`;

/** The last number that was drawn. */
const SELECT_LAST = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM audit_number";

/** Waits for all daemons that have drawn numbers. A statement of its own frees the lock at once. */
const WAIT_FOR_DRAWN = `SELECT pg_advisory_xact_lock(${LOCKS.audit})`;

/** With the numbers they have. For copies into an empty database. */
const IMPORT = `WITH new AS (INSERT INTO audit (seq, ${COLUMNS})
    SELECT n, ${COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS p(n bigint, ${TYPED}) RETURNING seq)
  SELECT setval('audit_number', max(seq)) FROM new`;

/** In the given order. Removes what is too old. */
export async function appendAudit(
  connection: PostgresConnection,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, index) => ({ n: index + 1, ...encodeTexts(toAuditColumns(entry)) }));
  await connection.write(APPEND, [JSON.stringify(rows)]);
}

export async function importAudit(
  connection: PostgresConnection,
  entries: readonly AuditRow[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({ n: entry.seq, ...encodeTexts(toAuditColumns(entry)) }));
  await connection.write(IMPORT, [JSON.stringify(rows)]);
}

/**
 * Newest first. The first page has the numbers drawn before it was asked for, once all of them are committed or given up. So
 * no entry appears later between those that were read.
 */
export async function readAudit(connection: PostgresConnection, query: AuditQuery): Promise<AuditPage> {
  const where = new Conditions();
  if (query.before === undefined) {
    const [drawn] = await connection.query<{ last: number }>(SELECT_LAST);
    await connection.query(WAIT_FOR_DRAWN);
    where.add("seq <= ?", drawn!.last);
  }
  where.addText("session = ?", query.session);
  if (query.before !== undefined) where.add("seq < ?", query.before);
  if (query.by !== undefined) {
    const by = encodeText(query.by);
    // Also when a name has that of a client behind it.
    where.add("(actor = ? OR (actor >= ? AND actor < ?))", by, `${by} (`, `${by} )`);
  }
  const rows = await connection.query<StoredAuditEntry>(
    `SELECT seq, ${COLUMNS} FROM audit WHERE ${where.sql} ORDER BY seq DESC LIMIT ${query.limit + 1}`,
    where.values,
  );
  const page = rows.slice(0, query.limit);
  const entries = page.map((row) => toAuditRow(decodeTexts(row)));
  return rows.length > page.length ? { entries, before: page.at(-1)?.seq } : { entries };
}
