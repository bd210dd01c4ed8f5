/** Messages and waiting prompts: reading the history back. */
import type { MessageQuery, MessageRow } from "../../core/store.ts";
import { MESSAGE_COLUMNS, type MessageColumns, toMessageRow } from "../format/message-columns.ts";
import { type OnDamagedRecord, readRecord, type StoredRecord } from "../format/message-record.ts";
import { PageBudget } from "../page.ts";
import type { PostgresConnection, Statement } from "./connection.ts";
import { IN_HISTORY } from "./schema.ts";
import { decodeTexts, encodeText } from "./stored-text.ts";

/** A row without its record. */
export interface NumberedMessage extends MessageColumns {
  number: number;
  /** How long its record is as it is stored. */
  bytes: number | null;
}

export const SELECTED_MESSAGE = `number, ${MESSAGE_COLUMNS.join(", ")}, length(record) AS bytes`;

const SELECT_HISTORY: Statement = {
  name: "select_history",
  text: `SELECT ${SELECTED_MESSAGE} FROM message WHERE session = $1 AND position < $2 AND ${IN_HISTORY}
    ORDER BY position DESC LIMIT $3`,
};
const SELECT_ONE: Statement = {
  name: "select_message",
  text: `SELECT ${SELECTED_MESSAGE}, codec, checksum, record FROM message WHERE session = $1 AND id = $2`,
};
const SELECT_RECORDS: Statement = {
  name: "select_records",
  text: "SELECT id, codec, checksum, record FROM message WHERE session = $1 AND id = ANY($2::text[])",
};

/** How many bytes of packed records are read at once. */
const RECORD_BYTES = 512 * 1024;

export async function readMessage(
  connection: PostgresConnection,
  session: number,
  id: string,
  onDamagedRecord: OnDamagedRecord,
): Promise<MessageRow | undefined> {
  const [stored] = await connection.query<NumberedMessage & StoredRecord>(SELECT_ONE, [
    session,
    encodeText(id),
  ]);
  if (!stored) return undefined;
  const message = decodeTexts(stored);
  return toMessageRow(message, await readRecord(session, message, stored, onDamagedRecord));
}

export async function readHistory(
  connection: PostgresConnection,
  session: number,
  query: MessageQuery,
  onDamagedRecord: OnDamagedRecord,
): Promise<{ messages: MessageRow[]; hasMore: boolean }> {
  const end = await endOf(connection, session, query.before);
  if (end === undefined) return { messages: [], hasMore: false };
  const newestFirst = await connection.query<NumberedMessage>(SELECT_HISTORY, [
    session,
    end,
    query.limit + 1,
  ]);
  const budget = new PageBudget(query.limit, query.maxBytes);
  const messages: MessageRow[] = [];
  const result = () => ({ messages: messages.reverse(), hasMore: newestFirst.length > messages.length });
  for (const group of query.withoutRecords ? [newestFirst] : groupsOf(newestFirst)) {
    const records = query.withoutRecords ? undefined : await readRecords(connection, session, group);
    for (const found of group) {
      const stored = records?.get(found.id);
      const message = decodeTexts(found);
      const record = stored && (await readRecord(session, message, stored, onDamagedRecord));
      if (!budget.takeText(record?.text ?? "")) return result();
      messages.push(toMessageRow(message, record));
    }
  }
  return result();
}

/** A prompt that waits comes after the whole history. Undefined when there is no such message. */
async function endOf(
  connection: PostgresConnection,
  session: number,
  before: string | undefined,
): Promise<number | undefined> {
  if (before === undefined) return Number.MAX_SAFE_INTEGER;
  const [found] = await connection.query<{ position: number | null }>(
    "SELECT position FROM message WHERE session = $1 AND id = $2",
    [session, encodeText(before)],
  );
  return found && (found.position ?? Number.MAX_SAFE_INTEGER);
}

/** Messages whose records are read together. */
function* groupsOf(messages: readonly NumberedMessage[]): Generator<NumberedMessage[]> {
  let group: NumberedMessage[] = [];
  let bytes = 0;
  for (const message of messages) {
    if (group.length > 0 && bytes + (message.bytes ?? 0) > RECORD_BYTES) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(message);
    bytes += message.bytes ?? 0;
  }
  if (group.length > 0) yield group;
}

async function readRecords(
  connection: PostgresConnection,
  session: number,
  messages: readonly NumberedMessage[],
): Promise<Map<string, StoredRecord>> {
  const wanted = messages.filter(({ bytes }) => bytes !== null).map(({ id }) => id);
  if (wanted.length === 0) return new Map();
  const found = await connection.query<StoredRecord & { id: string }>(SELECT_RECORDS, [session, wanted]);
  return new Map(found.map((record) => [record.id, record]));
}
