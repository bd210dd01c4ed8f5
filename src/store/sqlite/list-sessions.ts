/** The list of sessions: last changed first, filtered, page by page. */
import type { SQLInputValue } from "node:sqlite";
import type { ListQuery, SessionRow } from "../../core/store.ts";
import { toSessionRow } from "../format/session-columns.ts";
import { decodeListCursor, encodeListCursor } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import { Conditions } from "./conditions.ts";
import type { Connection } from "./connection.ts";
import { UNFINISHED } from "./schema.ts";
import { searchCondition } from "./search.ts";
import {
  assertLogRecord,
  assertSessionRecord,
  LOG_COLUMNS,
  type LogRecord,
  SESSION_COLUMNS,
  type SessionRecord,
} from "./session-row.ts";

/** The approximate size of a session without its metadata. */
const ROW_BYTES = 1024;

export const SELECT_UNFINISHED = `SELECT ${LOG_COLUMNS} FROM session WHERE ${UNFINISHED} ORDER BY id`;

/**
 * No session is on two pages, and one that does not change meanwhile is on exactly one. One that changes moves to the
 * front of the first page. A damaged row is reported and left out.
 */
export function listSessions(
  connection: Connection,
  query: ListQuery,
  onDamage: OnDamage,
): { sessions: SessionRow[]; cursor?: string } {
  const { sql, values } = listStatement(query);
  const budget = new PageBudget(query.limit, query.maxBytes);
  const shown: SessionRecord[] = [];
  let isCut = false;
  for (const record of connection.iterate<SessionRecord>(sql, ...values)) {
    // The first one always fits.
    isCut = !budget.takeText(record.metadata ?? "", ROW_BYTES);
    if (isCut) break;
    shown.push(record);
  }
  const read = skipDamaged(shown, onDamage, (record) => {
    assertSessionRecord(record);
    return { record, row: toSessionRow(record) };
  });
  const whole = [...read];
  // The cursor skips damaged rows, unless there is nothing else.
  const last = whole.at(-1)?.record ?? shown.at(-1);
  return {
    sessions: whole.map(({ row }) => row),
    cursor: last && isCut ? encodeListCursor({ updatedAt: last.updated_at, ordinal: last.id }) : undefined,
  };
}

export function unfinishedSessions(connection: Connection, onDamage: OnDamage): string[] {
  const read = skipDamaged(connection.all<LogRecord>(SELECT_UNFINISHED), onDamage, (record) => {
    assertLogRecord(record);
    return record.key;
  });
  return [...read];
}

/** Reads one row more than the page shows, to know whether there is another page. */
export function listStatement(query: ListQuery): { sql: string; values: SQLInputValue[] } {
  const conditions = new Conditions();
  conditions.addText("session.cwd = ?", query.cwd);
  // Paths below a directory are between its slash and the character after that.
  if (query.inside !== undefined)
    conditions.add(
      "(session.cwd = ? OR (session.cwd >= ? AND session.cwd < ?))",
      query.inside,
      query.inside.replace(/\/?$/, "/"),
      query.inside.replace(/\/?$/, "0"),
    );
  if (query.archived !== undefined)
    conditions.add(`session.archived IS ${query.archived ? "NOT NULL" : "NULL"}`);
  if (query.pinned !== undefined) conditions.add(`session.pinned IS ${query.pinned ? "NOT NULL" : "NULL"}`);
  // A directory has far fewer sessions than an agent or a status: the sign keeps SQLite from other indexes.
  const sign = query.cwd === undefined && query.inside === undefined ? "" : "+";
  conditions.addText(`${sign}session.agent = ?`, query.agent);
  conditions.addText(`${sign}session.status = ?`, query.status);
  if (query.cursor !== undefined) {
    const { updatedAt, ordinal } = decodeListCursor(query.cursor);
    conditions.add(`(${sign}session.updated_at, session.id) < (?, ?)`, updatedAt, ordinal);
  }
  conditions.addOnly(query.only);
  const search = searchCondition(query.search);
  if (search) conditions.add(search.sql, ...search.values);
  return {
    sql: `SELECT ${SESSION_COLUMNS} FROM session ${conditions.where}
      ORDER BY session.updated_at DESC, session.id DESC LIMIT ?`,
    values: [...conditions.values, query.limit + 1],
  };
}
