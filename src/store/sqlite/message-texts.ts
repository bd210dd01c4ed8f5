/** What messages say, and the index of their words: a commit stores a text and notes it, the words are indexed later. */
import type { SearchText } from "../../core/store.ts";
import { assertContent, type Checksum, contentChecksum } from "../format/checksum.ts";
import { searchWords } from "../search-words.ts";
import type { Connection } from "./connection.ts";

export interface StoredText {
  /** The number of the message's row. */
  id: number;
  session: number;
  at: number;
  text: string;
  checksum: Checksum;
}

const SELECT_NUMBER = "SELECT row_id AS number FROM message WHERE session = ? AND id = ?";
const WRITE_TEXT =
  "INSERT OR REPLACE INTO message_text (id, session, at, text, checksum) VALUES (?, ?, ?, ?, ?)";
const NOTE_TEXT = "INSERT OR IGNORE INTO text_to_index (id, session) VALUES (?, ?)";
const WRITE_WORDS = "INSERT OR REPLACE INTO message_search (rowid, text) VALUES (?, ?)";
const REMOVE_NOTE = "DELETE FROM text_to_index WHERE id = ?";
const REMOVE_WORDS =
  "DELETE FROM message_search WHERE rowid IN (SELECT id FROM message_text WHERE session = ?)";

export const SELECT_TEXT = "SELECT id, session, at, text, checksum FROM message_text WHERE id = ?";
/** Texts whose words are not in the index yet, of all sessions, the newest messages first. */
export const SELECT_NOTED_TEXTS = `SELECT message_text.id, message_text.session, at, text, checksum
  FROM text_to_index JOIN message_text ON message_text.id = text_to_index.id
  WHERE text_to_index.id < ? ORDER BY text_to_index.id DESC`;
export const SELECT_TEXT_NUMBERS = "SELECT id FROM message_text WHERE session = ?";
/** In the index, or noted for it. */
const SELECT_SEARCHED =
  "SELECT rowid FROM message_search WHERE rowid = ? UNION ALL SELECT id FROM text_to_index WHERE id = ?";
const SELECT_LENGTH =
  "SELECT length(text) AS length FROM message_text WHERE id = (SELECT row_id FROM message WHERE session = ? AND id = ?)";
const SELECT_QUESTION = "SELECT 1 FROM ask WHERE session = ? AND kind <> 'permission' LIMIT 1";

/** False where a text of a message is stored that lacks nothing an earlier version left out. */
export function isTextIncomplete(connection: Connection, session: number, message: string): boolean {
  return (
    connection.get(SELECT_LENGTH, session, message) === undefined ||
    connection.get(SELECT_QUESTION, session) !== undefined
  );
}

/** Nothing where as much of the message is stored already. */
export function completeText(connection: Connection, session: number, text: SearchText): void {
  const stored = connection.get<{ length: number }>(SELECT_LENGTH, session, text.message);
  if (stored === undefined || stored.length < [...storable(text.text)].length)
    writeText(connection, session, text);
}

/** Replaces the former text of the message, and notes it for the index. Nothing for a message without a row. */
export function writeText(connection: Connection, session: number, { message, at, text }: SearchText): void {
  const number = connection.get<{ number: number }>(SELECT_NUMBER, session, message)?.number;
  if (number === undefined) return;
  const kept = storable(text);
  connection.run(
    WRITE_TEXT,
    number,
    session,
    at,
    kept,
    textChecksum({ id: number, session, at, text: kept }),
  );
  connection.run(NOTE_TEXT, number, session);
}

/** Indexes the words of a text that was noted, instead of those it had before. Must run inside a transaction. */
export function indexWords(connection: Connection, { id, text }: Pick<StoredText, "id" | "text">): void {
  // Each word once: how often a text has it is not asked. SQLite cuts at the spaces and nowhere else.
  connection.run(WRITE_WORDS, id, [...new Set(searchWords(text))].join(" "));
  connection.run(REMOVE_NOTE, id);
}

/** Removes the words of a session's messages from the index. Their texts are removed after it. */
export function removeTexts(connection: Connection, session: number): void {
  connection.run(REMOVE_WORDS, session);
}

/** Whether a text can be found by its words. */
export function isSearched(connection: Connection, id: number): boolean {
  return connection.get(SELECT_SEARCHED, id, id) !== undefined;
}

/** Throws when it is not what was stored. */
export function assertText(stored: StoredText): void {
  const what = "what is stored of a message's text";
  assertContent(stored.checksum, what, stored.text, "text", placeOf(stored));
}

function textChecksum(stored: Omit<StoredText, "checksum">): number {
  return contentChecksum(stored.text, placeOf(stored));
}

function placeOf({ id, session, at }: Omit<StoredText, "checksum" | "text">): string {
  return `${id} ${session} ${at}`;
}

/** As SQLite gives it back: a text ends there at a NUL, and has no half of a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll("\0", " ").toWellFormed();
}
