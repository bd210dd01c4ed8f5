/** Finds messages by their words, the last stored first, page by page. */
import type { MessageRow, SearchHit, SearchPage, SearchQuery } from "../../core/store.ts";
import { decodeSearchCursor, encodeSearchCursor } from "../list-cursor.ts";
import { makeSnippet } from "../make-snippet.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { IN_HISTORY } from "./schema.ts";
import { lexemeQuery } from "./search-lexemes.ts";
import { SESSION_COLUMNS, type SessionRecord, toSessionRow } from "./session-row.ts";
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
  const where = new Conditions();
  where.add("t.words @@ ?::tsquery", queryOf(words));
  if (before !== undefined) where.add("t.message < ?", before);
  where.addText("session.key = ?", query.session);
  if (query.archived !== undefined) where.add(`session.archived IS ${query.archived ? "" : "NOT "}TRUE`);
  where.addOnly(query.only);
  const found = await connection.query<FoundText>(
    `SELECT ${SESSION_COLUMNS}, m.number, m.id AS message, m.role, t.at, t.text
      FROM message_text t JOIN (SELECT number, id, role FROM message WHERE ${IN_HISTORY}) m ON m.number = t.message
      JOIN session ON session.id = t.session JOIN log_head ON log_head.session = t.session
      WHERE ${where.sql} ORDER BY t.message DESC LIMIT ${query.limit + 1}`,
    where.values,
  );
  const shown = found.slice(0, query.limit);
  const toHit = (row: FoundText): SearchHit => ({
    session: toSessionRow(row),
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

/** All of the words, the last one also as a beginning; of a single letter there would be too many. */
function queryOf(words: readonly string[]): string {
  return words
    .map((word, index) => lexemeQuery(word, index === words.length - 1 && word.length > 1))
    .join(" & ");
}
