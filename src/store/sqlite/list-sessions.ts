/** The list of sessions: last changed first, filtered, page by page. */
import type { SQLInputValue } from "node:sqlite";
import type { ListQuery, SessionRow } from "../../core/store.ts";
import { isDamage } from "../damaged-data.ts";
import { decodeListCursor, encodeListCursor } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import type { Connection } from "./connection.ts";
import { UNFINISHED } from "./schema.ts";
import { searchCondition } from "./search.ts";
import { assertSessionRecord, SESSION_COLUMNS, type SessionRecord, toSessionRow } from "./session-row.ts";

/** What a session takes besides its metadata, about. */
const ROW_BYTES = 1024;

export const SELECT_UNFINISHED = `SELECT key FROM session WHERE ${UNFINISHED} ORDER BY id`;

/**
 * No session is on two pages, and one that does not change in the meantime is on exactly one; one that changes moves to
 * the front, where the next look at the first page finds it. One whose row is damaged is told of and left out.
 */
export function listSessions(
  connection: Connection,
  query: ListQuery,
  onDamage: (session: string, error: unknown) => void,
): { sessions: SessionRow[]; cursor?: string } {
  const { sql, values } = listStatement(query);
  const budget = new PageBudget(query.limit, query.maxBytes);
  const sessions: SessionRow[] = [];
  // The cursor is not made of what is damaged, unless there is nothing else.
  let last: SessionRecord | undefined;
  let damaged: SessionRecord | undefined;
  for (const record of connection.iterate<SessionRecord>(sql, ...values)) {
    // The first one always fits.
    if (!budget.takeText(record.metadata ?? "", ROW_BYTES))
      return { sessions, cursor: cursorAt(last ?? damaged) };
    try {
      assertSessionRecord(record);
      sessions.push(toSessionRow(record));
      last = record;
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamage(record.key, error);
      damaged = record;
    }
  }
  return { sessions };
}

function cursorAt(record: SessionRecord | undefined): string | undefined {
  return record && encodeListCursor({ updatedAt: record.updated_at, ordinal: record.id });
}

/** Asks for one row more than the page shows, to know whether there is another page. */
export function listStatement(query: ListQuery): { sql: string; values: SQLInputValue[] } {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (condition: string, ...given: SQLInputValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (query.agent !== undefined) add("session.agent = ?", query.agent);
  if (query.status !== undefined) add("session.status = ?", query.status);
  if (query.cursor !== undefined) {
    const { updatedAt, ordinal } = decodeListCursor(query.cursor);
    add("(session.updated_at, session.id) < (?, ?)", updatedAt, ordinal);
  }
  const search = searchCondition(query.search);
  if (search) add(search.sql, ...search.values);
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  return {
    sql: `SELECT ${SESSION_COLUMNS} FROM session ${where}
      ORDER BY session.updated_at DESC, session.id DESC LIMIT ?`,
    values: [...values, query.limit + 1],
  };
}
