/** Who did what, as rows of the `audit` table. */
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type AuditRow,
  MAX_AUDIT_ENTRIES,
} from "../../core/people-store.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import type { StoredAuditEntry } from "../format/people-records.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeOptional, decodeText, encodeOptional, encodeText } from "./stored-text.ts";

const COLUMNS = "at, actor, token, role, dialect, action, session, outcome, code, detail";
const TYPED = `at bigint, actor text, token text, role text, dialect text, action text, session text, outcome text,
  code text, detail text`;

/** The counter's row is locked until the entries are there, so that they have no gap and stand in their order. */
const APPEND = `WITH last AS (UPDATE counter SET value = value + $2 WHERE name = 'audit' RETURNING value),
  old AS (DELETE FROM audit WHERE seq <= (SELECT value FROM last) - ${MAX_AUDIT_ENTRIES})
  INSERT INTO audit (seq, ${COLUMNS}) SELECT last.value - $2 + p.n, ${COLUMNS}
    FROM last, jsonb_to_recordset($1::jsonb) AS p(n int, ${TYPED})
    WHERE last.value - $2 + p.n > last.value - ${MAX_AUDIT_ENTRIES}`;

/** With the numbers they have. For copies into an empty database. */
const IMPORT = `WITH last AS (UPDATE counter SET value = greatest(value, $2) WHERE name = 'audit')
  INSERT INTO audit (seq, ${COLUMNS}) SELECT n, ${COLUMNS} FROM jsonb_to_recordset($1::jsonb) AS p(n bigint, ${TYPED})`;

/** In the given order. Removes what is too old. */
export async function appendAudit(
  connection: PostgresConnection,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, index) => ({ n: index + 1, ...toColumns(entry) }));
  await connection.write(APPEND, [JSON.stringify(rows), entries.length]);
}

export async function importAudit(
  connection: PostgresConnection,
  entries: readonly AuditRow[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({ n: entry.seq, ...toColumns(entry) }));
  await connection.write(IMPORT, [JSON.stringify(rows), Math.max(...entries.map(({ seq }) => seq))]);
}

/** Newest first. */
export async function readAudit(connection: PostgresConnection, query: AuditQuery): Promise<AuditPage> {
  const where = new Conditions();
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
  const entries = page.map(toAuditRow);
  return rows.length > page.length ? { entries, before: page.at(-1)?.seq } : { entries };
}

function toColumns(entry: AuditEntry): Omit<StoredAuditEntry, "seq"> {
  return {
    at: entry.at,
    actor: encodeText(entry.by),
    token: encodeOptional(entry.token),
    role: entry.role ?? null,
    dialect: encodeText(entry.dialect),
    action: encodeText(entry.action),
    session: encodeOptional(entry.session),
    outcome: entry.outcome,
    code: encodeOptional(entry.code),
    detail: encodeOptional(entry.detail),
  };
}

function toAuditRow(stored: StoredAuditEntry): AuditRow {
  return dropNulls({
    seq: stored.seq,
    at: stored.at,
    by: decodeText(stored.actor),
    token: decodeOptional(stored.token),
    role: stored.role,
    dialect: decodeText(stored.dialect),
    action: decodeText(stored.action),
    session: decodeOptional(stored.session),
    outcome: stored.outcome,
    code: decodeOptional(stored.code),
    detail: decodeOptional(stored.detail),
  });
}
