/** The list of sessions: last changed first, filtered, page by page. */
import type { ListQuery, SessionRow } from "../../core/store.ts";
import { decodeListCursor, encodeListCursor } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection, RunStatement, Value } from "./connection.ts";
import { UNFINISHED } from "./schema.ts";
import { lexemeQuery, WITHOUT_TABLE_SCANS } from "./search-lexemes.ts";
import { decodeSession, SESSION_COLUMNS, SESSIONS, type SessionRecord } from "./session-row.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** The approximate size of a session without its metadata. */
const ROW_BYTES = 1024;

const SELECT_UNFINISHED = `SELECT key FROM session WHERE ${UNFINISHED} ORDER BY id`;

/**
 * No session is on two pages, and one that does not change meanwhile is on exactly one. One that changes moves to the
 * front of the first page.
 */
export async function listSessions(
  connection: PostgresConnection,
  query: ListQuery,
  onDamage: OnDamage,
): Promise<{ sessions: SessionRow[]; cursor?: string }> {
  const records = query.search?.trim()
    ? await connection.snapshot((run) => findSessions(run, query))
    : await connection.query<SessionRecord>(...listStatement(query));
  const budget = new PageBudget(query.limit, query.maxBytes);
  const end = records.findIndex(({ metadata }) => !budget.takeText(metadata ?? "", ROW_BYTES));
  const shown = end < 0 ? records : records.slice(0, end);
  const last = shown.at(-1);
  return {
    sessions: [...skipDamaged(shown, onDamage, decodeSession)],
    cursor: last && end >= 0 ? encodeListCursor({ updatedAt: last.updated_at, ordinal: last.id }) : undefined,
  };
}

/** How many sessions, the last changed first, are searched without the index. */
const NEWEST_SESSIONS = 500;

/** Frequent words fill a page from the last changed sessions. All other words are found by the index. */
async function findSessions(run: RunStatement, query: ListQuery): Promise<SessionRecord[]> {
  const where = conditionsOf(query);
  const [first] = await run<{ updated_at: number }>(
    `SELECT updated_at FROM session WHERE ${where.sql}
      ORDER BY session.updated_at DESC, session.id DESC LIMIT 1 OFFSET ${NEWEST_SESSIONS - 1}`,
    where.values,
  );
  const newest = await run<SessionRecord>(...listStatement(query, { since: first?.updated_at }));
  if (newest.length > query.limit || first === undefined) return newest;
  await run(WITHOUT_TABLE_SCANS);
  return run<SessionRecord>(...listStatement(query, "indexed"));
}

/** Runs after `WITHOUT_TABLE_SCANS` where it is to use the index of words. */
export function listStatement(
  query: ListQuery,
  how: "indexed" | { since?: number } = {},
): [sql: string, values: readonly Value[]] {
  const where = conditionsOf(query);
  const since = how === "indexed" ? undefined : how.since;
  if (since !== undefined) where.add("session.updated_at >= ?", since);
  addSearch(where, query.search, how === "indexed");
  const sql = `SELECT ${SESSION_COLUMNS} FROM ${SESSIONS} WHERE ${where.sql}
    ORDER BY session.updated_at DESC, session.id DESC LIMIT ${query.limit + 1}`;
  return [sql, where.values];
}

export async function unfinishedSessions(connection: PostgresConnection): Promise<string[]> {
  const rows = await connection.query<{ key: string }>(SELECT_UNFINISHED);
  return rows.map(({ key }) => decodeText(key));
}

/** Without the search. */
function conditionsOf(query: ListQuery): Conditions {
  const where = new Conditions();
  where.addText("session.cwd = ?", query.cwd);
  // Paths below a directory are between its slash and the character after that.
  if (query.inside !== undefined) {
    const inside = encodeText(query.inside);
    const [from, to] = [inside.replace(/\/?$/, "/"), inside.replace(/\/?$/, "0")];
    where.add("(session.cwd = ? OR (session.cwd >= ? AND session.cwd < ?))", inside, from, to);
  }
  if (query.archived !== undefined) where.add(`session.archived IS ${query.archived ? "" : "NOT "}TRUE`);
  if (query.pinned !== undefined) where.add(`session.pinned IS ${query.pinned ? "" : "NOT "}TRUE`);
  where.addText("session.agent = ?", query.agent);
  where.addText("session.status = ?", query.status);
  if (query.cursor !== undefined) {
    const { updatedAt, ordinal } = decodeListCursor(query.cursor);
    where.add("(session.updated_at, session.id) < (?, ?)", updatedAt, ordinal);
  }
  where.addOnly(query.only);
  return where;
}

/** Every word, or a longer one that begins with it, in id, title and prompts; or an id that begins with the whole search. */
function addSearch(where: Conditions, search: string | undefined, isIndexed: boolean): void {
  const whole = search?.trim();
  if (!whole) return;
  const words = searchWords(whole).slice(0, MAX_WORDS);
  const start = encodeText(whole);
  const byId = "(session.key >= ? AND session.key < ?)";
  const idValues = [start, `${start}\u{10ffff}`];
  if (words.length === 0) return where.add(byId, ...idValues);
  const having = isIndexed
    ? "session.id = ANY (ARRAY(SELECT session FROM search WHERE words @@ ?::tsquery))"
    : "EXISTS (SELECT 1 FROM search WHERE search.session = session.id AND words @@ ?::tsquery)";
  const byWord = words.map(() => having);
  where.add(
    `((${byWord.join(" AND ")}) OR ${byId})`,
    ...words.map((word) => lexemeQuery(word, true)),
    ...idValues,
  );
}
