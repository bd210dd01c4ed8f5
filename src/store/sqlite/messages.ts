/** Messages and waiting prompts: writing their rows and reading the history back. */
import type { MessageQuery, MessageRow } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import {
  MESSAGE_COLUMNS,
  type MessageColumns,
  toMessageColumns,
  toMessageRow,
} from "../format/message-columns.ts";
import {
  type OnDamagedRecord,
  readRecord,
  type StoredRecord,
  unpackRecord,
} from "../format/message-record.ts";
import type { PackedMessage } from "../format/pack-messages.ts";
import { packedChecksum } from "../format/packed-content.ts";
import { PageBudget } from "../page.ts";
import { assertNew } from "../skip-damaged.ts";
import type { Connection } from "./connection.ts";
import { IN_HISTORY } from "./schema.ts";

/** A row without its record, which has a checksum of its own. */
export type CheckedMessage = MessageColumns & { checksum: Checksum };

/** A row with its number and that of its session. */
export type NumberedMessage = CheckedMessage & { number: number; session: number };

type RecordColumns = Pick<CheckedMessage, "id" | "fold_version"> &
  Omit<StoredRecord, "checksum"> & { record_checksum: Checksum };

export type StoredMessage = CheckedMessage & RecordColumns;

const PACKED = ["codec", "record", "record_checksum"];
const ALL = [...MESSAGE_COLUMNS, "checksum", ...PACKED];
const COLUMNS = ALL.join(", ");
const ROW_COLUMNS = [...MESSAGE_COLUMNS, "checksum"].join(", ");

const UPSERT = `INSERT INTO message (session, ${COLUMNS}) VALUES (?, ${ALL.map(() => "?").join(", ")})
  ON CONFLICT (session, id) DO UPDATE SET ${ALL.map((column) => `${column} = excluded.${column}`).join(", ")}`;

const SELECT_RECORD = `SELECT id, fold_version, ${PACKED.join(", ")} FROM message WHERE session = ? AND id = ?`;

const SELECT_ONE = `SELECT ${COLUMNS} FROM message WHERE session = ? AND id = ?`;
/** All that the session ever had, without their records. */
export const SELECT_MESSAGES = `SELECT ${ROW_COLUMNS} FROM message WHERE session = ?`;
/** Finished ones of all sessions, the newest first. */
export const SELECT_MESSAGES_BEFORE = `SELECT row_id AS number, session, ${ROW_COLUMNS} FROM message
  WHERE row_id < ? AND state = 'done' ORDER BY row_id DESC LIMIT ?`;

/** All of all sessions, in the order the store first saw them. */
export const SELECT_MESSAGES_AFTER = `SELECT row_id AS number, session, ${ROW_COLUMNS} FROM message
  WHERE row_id > ? ORDER BY row_id LIMIT ?`;

/** Of the history only. */
export const SELECT_MESSAGE_BY_NUMBER = `SELECT session, ${ROW_COLUMNS} FROM message WHERE row_id = ? AND ${IN_HISTORY}`;
const SELECT_ROW = `SELECT ${ROW_COLUMNS} FROM message WHERE session = ? AND id = ?`;

/** Without the records, which may exceed a page together. */
export const SELECT_HISTORY = `SELECT ${ROW_COLUMNS} FROM message
  WHERE session = ? AND position < ? AND ${IN_HISTORY} ORDER BY position DESC LIMIT ?`;

/** A message that entered the history after the rewinding, in the same batch, stays in it. */
const SELECT_REWOUND = `SELECT ${ROW_COLUMNS} FROM message
  WHERE session = ?2 AND position < ?1 AND ${IN_HISTORY}
    AND position >= (SELECT position FROM message WHERE session = ?2 AND id = ?3)`;
const REWIND = "UPDATE message SET rewound_at = ?, checksum = ? WHERE session = ? AND id = ?";

const AMEND = `UPDATE message SET last_seq = ?, fold_version = NULL, codec = NULL, record = NULL, record_checksum = NULL,
  checksum = ? WHERE session = ? AND id = ?`;

/** A row replaces the former one of the same id as a whole. */
export function writeMessage(connection: Connection, session: number, { row, record }: PackedMessage): void {
  const columns = toMessageColumns(row);
  const values = MESSAGE_COLUMNS.map((column) => columns[column]);
  const packed = record
    ? [record.codec, record.data, packedChecksum(record, [session, row.id])]
    : [null, null, null];
  connection.run(UPSERT, session, ...values, rowChecksum([session, ...values]), ...packed);
}

export function rewindMessages(
  connection: Connection,
  session: number,
  rewound: { before: string; seq: number },
): void {
  const { before, seq } = rewound;
  for (const stored of connection.all<CheckedMessage>(SELECT_REWOUND, seq, session, before)) {
    assertMessage(session, stored);
    const checksum = messageChecksum(session, { ...stored, rewound_at: seq });
    connection.run(REWIND, seq, checksum, session, stored.id);
  }
}

/** The stored record is out of date: it is dropped, and folded again from the log by the next reader. */
export function amendMessage(
  connection: Connection,
  session: number,
  amended: { message: string; seq: number },
): void {
  const { message, seq } = amended;
  const stored = connection.get<CheckedMessage>(SELECT_ROW, session, message);
  if (!stored) return;
  assertMessage(session, stored, message);
  const checksum = messageChecksum(session, { ...stored, last_seq: seq, fold_version: null });
  connection.run(AMEND, seq, checksum, session, message);
}

export async function readMessage(
  connection: Connection,
  session: number,
  id: string,
  onDamagedRecord: OnDamagedRecord,
): Promise<MessageRow | undefined> {
  const stored = connection.get<StoredMessage>(SELECT_ONE, session, id);
  if (!stored) return undefined;
  assertMessage(session, stored, id);
  return toMessageRow(stored, await readRecord(session, stored, recordOf(stored), onDamagedRecord));
}

export async function readHistory(
  connection: Connection,
  session: number,
  query: MessageQuery,
  onDamagedRecord: OnDamagedRecord,
): Promise<{ messages: MessageRow[]; hasMore: boolean }> {
  const end =
    query.before === undefined ? Number.MAX_SAFE_INTEGER : positionOf(connection, session, query.before);
  if (end === undefined) return { messages: [], hasMore: false };
  const newestFirst = connection.all<CheckedMessage>(SELECT_HISTORY, session, end, query.limit + 1);
  const budget = new PageBudget(query.limit, query.maxBytes);
  const messages: MessageRow[] = [];
  const seen = new Set<string>();
  for (const found of newestFirst) {
    assertMessage(session, found);
    assertNew(seen, found.id);
    const stored = query.withoutRecords
      ? undefined
      : connection.get<RecordColumns>(SELECT_RECORD, session, found.id);
    const record = stored && (await readRecord(session, stored, recordOf(stored), onDamagedRecord));
    if (!budget.takeText(record?.text ?? "")) break;
    messages.push(toMessageRow(found, record));
  }
  return { messages: messages.reverse(), hasMore: newestFirst.length > messages.length };
}

/** A prompt that waits comes after the whole history. Undefined when there is no such message. */
function positionOf(connection: Connection, session: number, id: string): number | undefined {
  const found = connection.get<CheckedMessage>(SELECT_ROW, session, id);
  if (!found) return undefined;
  assertMessage(session, found, id);
  return found.position ?? Number.MAX_SAFE_INTEGER;
}

/** Throws if the row is damaged, or, with `id`, if a damaged index led to another row. */
export function assertMessage(session: number, stored: CheckedMessage, id = stored.id): void {
  assertChecksum(stored.checksum, `message "${id}"`, () => messageChecksum(session, { ...stored, id }));
}

export function messageChecksum(session: number, message: CheckedMessage): number {
  return rowChecksum([session, ...MESSAGE_COLUMNS.map((column) => message[column])]);
}

function recordOf({ codec, record, record_checksum: checksum }: RecordColumns): StoredRecord {
  return { codec, record, checksum };
}

/** With its record, of whatever fold version. Throws when that is damaged. */
export async function readWholeMessage(
  connection: Connection,
  session: number,
  message: CheckedMessage,
): Promise<MessageRow> {
  const stored = connection.get<RecordColumns>(SELECT_RECORD, session, message.id);
  return toMessageRow(message, stored && (await unpackRecord(session, stored.id, recordOf(stored))));
}

/** Throws when it is damaged. */
export async function checkRecord(connection: Connection, session: number, id: string): Promise<void> {
  const stored = connection.get<RecordColumns>(SELECT_RECORD, session, id);
  if (stored) await unpackRecord(session, stored.id, recordOf(stored));
}
