/** Finds messages by their words, the last stored first, page by page. */
import type { MessageRow, SearchHit, SearchPage, SearchQuery } from "../../core/store.ts";
import { decodeSearchCursor, encodeSearchCursor } from "../list-cursor.ts";
import { makeSnippet } from "../make-snippet.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection, RunStatement, Value } from "./connection.ts";
import { IN_HISTORY } from "./schema.ts";
import { lexemeQuery, WITHOUT_TABLE_SCANS } from "./search-lexemes.ts";
import { decodeSession, SESSION_COLUMNS, type SessionRecord } from "./session-row.ts";
import { decodeText } from "./stored-text.ts";

type FoundText = SessionRecord & {
  number: number;
  message: string;
  role: MessageRow["role"];
  at: number;
  text: string;
};

export async function searchMessages(
  connection: PostgresConnection,
  query: SearchQuery,
  onDamage: OnDamage,
): Promise<SearchPage> {
  const words = searchWords(query.words).slice(0, MAX_WORDS);
  const before = query.cursor === undefined ? undefined : decodeSearchCursor(query.cursor);
  if (words.length === 0) return { hits: [] };
  const found = await connection.snapshot((run) =>
    findTexts(run, { ...query, before, words: queryOf(words) }),
  );
  const shown = found.slice(0, query.limit);
  const toHit = (row: FoundText): SearchHit => ({
    session: decodeSession(row),
    message: decodeText(row.message),
    role: row.role,
    at: row.at,
    snippet: makeSnippet(row.text, words),
  });
  return {
    hits: [...skipDamaged(shown, onDamage, toHit, ({ number }) => String(number))],
    ...(found.length > shown.length && { cursor: encodeSearchCursor(shown.at(-1)!.number) }),
  };
}

export interface TextQuery extends Pick<SearchQuery, "session" | "archived" | "only" | "limit"> {
  /** As `tsquery`. */
  words: string;
  /** Only messages with a smaller number. */
  before?: number;
}

/** How many of the last texts are read without the index. */
const NEWEST_TEXTS = 1000;

/**
 * Frequent words fill a page from the newest texts. The index would give all texts with such a word, to be sorted. All other
 * words are found by the index. PostgreSQL does not choose well by itself: it assumes that many texts have a word it has no
 * statistics of, and does not count the cost of unpacking the words of a text.
 */
async function findTexts(run: RunStatement, query: TextQuery): Promise<FoundText[]> {
  if (query.session === undefined) {
    const first = await firstOfNewest(run, query.before);
    const newest = newestTexts(query, first);
    const found = await run<FoundText>(newest.sql, newest.values);
    if (found.length > query.limit || first === undefined) return found;
  }
  await run(WITHOUT_TABLE_SCANS);
  const indexed = indexedTexts(query);
  return run<FoundText>(indexed.sql, indexed.values);
}

/** Undefined where there are fewer. */
async function firstOfNewest(run: RunStatement, before: number | undefined): Promise<number | undefined> {
  const where = new Conditions();
  if (before !== undefined) where.add("message < ?", before);
  const [first] = await run<{ message: number }>(
    `SELECT message FROM message_text WHERE ${where.sql} ORDER BY message DESC LIMIT 1 OFFSET ${NEWEST_TEXTS - 1}`,
    where.values,
  );
  return first?.message;
}

function newestTexts(query: TextQuery, first: number | undefined) {
  const where = new Conditions();
  where.add("t.words @@ ?::tsquery", query.words);
  if (first !== undefined) where.add("t.message >= ?", first);
  if (query.before !== undefined) where.add("t.message < ?", query.before);
  return selectTexts("message_text t", where, query);
}

/** Runs after `WITHOUT_TABLE_SCANS`. */
export function indexedTexts(query: TextQuery): { sql: string; values: readonly Value[] } {
  const where = new Conditions();
  where.add("words @@ ?::tsquery", query.words);
  if (query.before !== undefined) where.add("message < ?", query.before);
  where.addText("session = (SELECT id FROM session WHERE key = ?)", query.session);
  // Materialized, because the order and limit of the outer query would lead the planner away from the index.
  const found = `(WITH found AS MATERIALIZED (SELECT message FROM message_text WHERE ${where.sql})
    SELECT * FROM found JOIN message_text USING (message)) t`;
  return selectTexts(found, where.withoutSql(), query);
}

function selectTexts(texts: string, where: Conditions, { archived, only, limit }: TextQuery) {
  if (archived !== undefined) where.add(`session.archived IS ${archived ? "" : "NOT "}TRUE`);
  where.addOnly(only);
  const sql = `SELECT ${SESSION_COLUMNS}, m.number, m.id AS message, m.role, t.at, t.text
    FROM ${texts} JOIN (SELECT number, id, role FROM message WHERE ${IN_HISTORY}) m ON m.number = t.message
    JOIN session ON session.id = t.session JOIN log_head ON log_head.session = t.session
    WHERE ${where.sql} ORDER BY t.message DESC LIMIT ${limit + 1}`;
  return { sql, values: where.values };
}

/** All of the words, the last one also as a beginning; of a single letter there would be too many. */
function queryOf(words: readonly string[]): string {
  return words
    .map((word, index) => lexemeQuery(word, index === words.length - 1 && word.length > 1))
    .join(" & ");
}
