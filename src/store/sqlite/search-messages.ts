/** Finds messages by their words, the last stored first, page by page. */
import type { SearchHit, SearchPage, SearchQuery } from "../../core/store.ts";
import { isDamage } from "../damaged-data.ts";
import { isAmong } from "../is-among.ts";
import { decodeSearchCursor, encodeSearchCursor } from "../list-cursor.ts";
import { makeSnippet } from "../make-snippet.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import type { OnDamage } from "../skip-damaged.ts";
import type { Connection } from "./connection.ts";
import { assertText, SELECT_TEXT, type StoredText } from "./message-texts.ts";
import { assertMessage, type MessageColumns, SELECT_MESSAGE_BY_NUMBER } from "./messages.ts";
import { assertSessionRecord, SESSION_COLUMNS, type SessionRecord, toSessionRow } from "./session-row.ts";

/** Others wait while the index is read: what is in other sessions than those asked for ends a page early. */
const MAX_LOOKED_AT = 1000;

const SELECT_NUMBERS = `SELECT rowid AS number FROM message_search
  WHERE message_search MATCH ? AND rowid < ? ORDER BY rowid DESC`;
const SELECT_SESSION = `SELECT ${SESSION_COLUMNS} FROM session WHERE id = ?`;
const SELECT_BACKLOG = "SELECT 1 FROM text_backlog";

export function searchMessages(connection: Connection, query: SearchQuery, onDamage: OnDamage): SearchPage {
  const words = searchWords(query.words).slice(0, MAX_WORDS);
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeSearchCursor(query.cursor);
  const isIncomplete = connection.get(SELECT_BACKLOG) !== undefined;
  const page: SearchPage = { hits: [], ...(isIncomplete && { isIncomplete }) };
  if (words.length === 0) return page;
  const sessions = new SessionsOfHits(connection, query, onDamage);
  let lookedAt = 0;
  let last = before;
  const found = connection.iterate<{ number: number }>(SELECT_NUMBERS, matchOf(words), before);
  for (const { number } of found) {
    if (page.hits.length === query.limit || lookedAt === MAX_LOOKED_AT)
      return { ...page, cursor: encodeSearchCursor(last) };
    lookedAt += 1;
    last = number;
    const hit = readHit(connection, number, words, sessions);
    if (hit) page.hits.push(hit);
  }
  return page;
}

/** All of the words, the last one also as a beginning; of a single letter there would be too many. */
function matchOf(words: readonly string[]): string {
  const last = words.at(-1)!;
  return [...words.slice(0, -1).map((word) => `"${word}"`), `"${last}"${last.length > 1 ? "*" : ""}`].join(
    " ",
  );
}

/** Undefined for a message that is not wanted, or is damaged. */
function readHit(
  connection: Connection,
  number: number,
  words: readonly string[],
  sessions: SessionsOfHits,
): SearchHit | undefined {
  const message = connection.get<MessageColumns & { session: number }>(SELECT_MESSAGE_BY_NUMBER, number);
  const session = message && sessions.find(message.session);
  if (!session) return undefined;
  return sessions.guard(session.id, () => {
    assertMessage(message.session, message);
    const stored = connection.get<StoredText>(SELECT_TEXT, number);
    if (!stored) return undefined;
    assertText(stored);
    const { at, text } = stored;
    return { session, message: message.id, role: message.role, at, snippet: makeSnippet(text, words) };
  });
}

/** The sessions of what was found, each read once. */
class SessionsOfHits {
  readonly #connection: Connection;
  readonly #query: SearchQuery;
  readonly #onDamage: OnDamage;
  readonly #known = new Map<number, SearchHit["session"] | undefined>();

  constructor(connection: Connection, query: SearchQuery, onDamage: OnDamage) {
    this.#connection = connection;
    this.#query = query;
    this.#onDamage = onDamage;
  }

  /** Undefined for one that is not wanted. */
  find(number: number): SearchHit["session"] | undefined {
    if (!this.#known.has(number)) this.#known.set(number, this.#read(number));
    return this.#known.get(number);
  }

  guard<Value>(session: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#onDamage(session, error);
      return undefined;
    }
  }

  #read(number: number): SearchHit["session"] | undefined {
    const record = this.#connection.get<SessionRecord>(SELECT_SESSION, number);
    if (!record) return undefined;
    return this.guard(record.key, () => {
      assertSessionRecord(record);
      const row = toSessionRow(record);
      const { session = row.id, archived = row.archived ?? false, only } = this.#query;
      const isWanted = row.id === session && (row.archived ?? false) === archived && isAmong(only, row);
      return isWanted ? row : undefined;
    });
  }
}
