/** Finds messages by their words, the last stored first, page by page. */
import type { SearchHit, SearchPage, SearchQuery } from "../../core/store.ts";
import { DamagedDataError, isDamage } from "../damaged-data.ts";
import { toSessionRow } from "../format/session-columns.ts";
import { hasWords } from "../has-words.ts";
import { isAmong } from "../is-among.ts";
import { decodeSearchCursor, encodeSearchCursor } from "../list-cursor.ts";
import { makeSnippet } from "../make-snippet.ts";
import type { LeaveOut } from "../read-rows.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import type { OnDamage } from "../skip-damaged.ts";
import type { Connection } from "./connection.ts";
import { assertText, SELECT_NOTED_TEXTS, SELECT_TEXT, type StoredText } from "./message-texts.ts";
import { assertMessage, type CheckedMessage, SELECT_MESSAGE_BY_NUMBER } from "./messages.ts";
import { assertSessionRecord, SESSION_COLUMNS, type SessionRecord } from "./session-row.ts";

/** Others wait while the index is read: what is in other sessions than those asked for ends a page early. */
const MAX_LOOKED_AT = 1000;

/** Texts that are not in the index yet are read themselves. Usually these are of the last second. */
const MAX_NOTED = 1000;

/** Of a noted text the index has former words, or none. */
const SELECT_NUMBERS = `SELECT rowid AS number FROM message_search
  WHERE message_search MATCH ? AND rowid < ? AND rowid NOT IN (SELECT id FROM text_to_index) ORDER BY rowid DESC`;
const SELECT_SESSION = `SELECT ${SESSION_COLUMNS} FROM session WHERE id = ?`;
const SELECT_BACKLOG = "SELECT 1 FROM text_backlog";

/** Must run in one snapshot: a text that another process indexes meanwhile would be found twice. */
export function searchMessages(
  connection: Connection,
  query: SearchQuery,
  onDamage: OnDamage,
  leaveOut: LeaveOut,
): SearchPage {
  const words = searchWords(query.words).slice(0, MAX_WORDS);
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeSearchCursor(query.cursor);
  const page: SearchPage = { hits: [] };
  if (connection.get(SELECT_BACKLOG)) page.isIncomplete = true;
  if (words.length === 0) return page;
  const sessions = new SessionsOfHits(connection, query, onDamage);
  const noted = readNoted(connection, before, words, sessions);
  if (noted.hasMore) page.isIncomplete = true;
  let lookedAt = 0;
  let last = before;
  const indexed = connection.iterate<{ number: number }>(SELECT_NUMBERS, matchOf(words), before);
  for (const number of descending(noted.numbers, indexed)) {
    if (page.hits.length === query.limit || lookedAt === MAX_LOOKED_AT)
      // A cursor that does not advance would never end.
      return last < before ? { ...page, cursor: encodeSearchCursor(last) } : page;
    lookedAt += 1;
    if (number >= last) {
      leaveOut(new DamagedDataError("the search index has rows twice or in the wrong order"));
      continue;
    }
    last = number;
    const hit = readHit(connection, number, words, sessions);
    if (hit) page.hits.push(hit);
  }
  return page;
}

interface Noted {
  /** Of messages with the words, the newest first. */
  numbers: number[];
  hasMore: boolean;
}

function readNoted(
  connection: Connection,
  before: number,
  words: readonly string[],
  sessions: SessionsOfHits,
): Noted {
  const numbers: number[] = [];
  let read = 0;
  for (const stored of connection.iterate<StoredText>(SELECT_NOTED_TEXTS, before)) {
    if (read === MAX_NOTED) return { numbers, hasMore: true };
    read += 1;
    const session = sessions.find(stored.session);
    if (!session) continue;
    sessions.guard(session.id, () => {
      assertText(stored);
      if (hasWords(new Set(searchWords(stored.text)), words)) numbers.push(stored.id);
    });
  }
  return { numbers, hasMore: false };
}

/** Both from the newest on, and together too. */
function* descending(noted: readonly number[], indexed: Iterable<{ number: number }>): Generator<number> {
  let next = 0;
  for (const { number } of indexed) {
    for (; next < noted.length && noted[next]! > number; next += 1) yield noted[next]!;
    yield number;
  }
  yield* noted.slice(next);
}

/** All of the words, the last one also as a beginning; of a single letter there would be too many. */
function matchOf(words: readonly string[]): string {
  const last = words.at(-1)!;
  return [...words.slice(0, -1).map((word) => `"${word}"`), `"${last}"${last.length > 1 ? "*" : ""}`].join(
    " ",
  );
}

/** Undefined for a message that is not wanted, is damaged, or lacks the words: the index can be damaged too. */
function readHit(
  connection: Connection,
  number: number,
  words: readonly string[],
  sessions: SessionsOfHits,
): SearchHit | undefined {
  const message = connection.get<CheckedMessage & { session: number }>(SELECT_MESSAGE_BY_NUMBER, number);
  const session = message && sessions.find(message.session);
  if (!session) return undefined;
  return sessions.guard(session.id, () => {
    assertMessage(message.session, message);
    const stored = connection.get<StoredText>(SELECT_TEXT, number);
    if (!stored) return undefined;
    assertText(stored);
    const { at, text } = stored;
    if (!hasWords(new Set(searchWords(text)), words)) return undefined;
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
