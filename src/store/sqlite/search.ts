/** The full-text index of sessions. */
import type { SessionRow } from "../../core/store.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import type { Connection } from "./connection.ts";

/** The lower half of a row id; see SEARCH_TABLE. */
const TITLE_TEXT = 0;
const LOWER_HALF = 0xffffffff;

const WRITE = "INSERT OR REPLACE INTO search (rowid, text) VALUES ((? << 32) | ?, ?)";
const REMOVE = "DELETE FROM search WHERE rowid BETWEEN (? << 32) AND (? << 32) + ?";

export function indexTitle(
  connection: Connection,
  session: number,
  row: Pick<SessionRow, "id" | "title">,
): void {
  indexText(connection, session, TITLE_TEXT, `${row.id} ${row.title ?? ""}`);
}

/**
 * `number` counts the session's texts from 1. The text is cut into words here and not by SQLite, so that every store
 * finds the same.
 */
export function indexText(connection: Connection, session: number, number: number, text: string): void {
  connection.run(WRITE, session, number, searchWords(text).join(" "));
}

export function removeFromIndex(connection: Connection, session: number): void {
  connection.run(REMOVE, session, session, LOWER_HALF);
}

/**
 * The condition that a session has every word (or a longer word that begins with it), or an id that begins with the
 * whole search. Undefined when there is nothing to look for.
 */
export function searchCondition(search: string | undefined): { sql: string; values: string[] } | undefined {
  const whole = search?.trim();
  if (!whole) return undefined;
  const words = searchWords(whole).slice(0, MAX_WORDS);
  const byId = "(session.key >= ? AND session.key < ?)";
  const idValues = [whole, `${whole}\u{10ffff}`];
  if (words.length === 0) return { sql: byId, values: idValues };
  const byWord = words.map(() => "session.id IN (SELECT rowid >> 32 FROM search WHERE search MATCH ?)");
  return {
    sql: `((${byWord.join(" AND ")}) OR ${byId})`,
    values: [...words.map((word) => `"${word}"*`), ...idValues],
  };
}
