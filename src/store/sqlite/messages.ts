/** Messages and waiting prompts: writing their rows and reading the history back. */
import { MESSAGE_FOLD_VERSION, type MessageRecord } from "../../core/message-record.ts";
import type { MessageQuery, MessageRow } from "../../core/store.ts";
import { type Packed, pack, unpack } from "../codec.ts";
import { PageBudget } from "../page.ts";
import type { Connection } from "./connection.ts";
import { dropNulls } from "./drop-nulls.ts";
import { IN_HISTORY } from "./schema.ts";

export interface PackedMessage {
  row: MessageRow;
  record: Packed | null;
}

interface StoredRecord {
  fold_version: number | null;
  codec: number | null;
  record?: Uint8Array | null;
}

interface StoredMessage extends StoredRecord {
  id: string;
  role: MessageRow["role"];
  state: MessageRow["state"];
  first_seq: number;
  last_seq: number;
  position: number | null;
  turn: string | null;
  rewound_at: number | null;
  request: string | null;
  response: string | null;
}

const COLUMNS =
  "id, role, state, first_seq, last_seq, position, turn, rewound_at, fold_version, request, response, codec, record";

const UPSERT = `INSERT INTO message (session, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, id) DO UPDATE SET role = excluded.role, state = excluded.state, first_seq = excluded.first_seq,
    last_seq = excluded.last_seq, position = excluded.position, turn = excluded.turn, rewound_at = excluded.rewound_at,
    fold_version = excluded.fold_version, request = excluded.request, response = excluded.response,
    codec = excluded.codec, record = excluded.record`;

const SELECT_RECORD = "SELECT fold_version, codec, record FROM message WHERE session = ? AND id = ?";

const SELECT_ONE = `SELECT ${COLUMNS} FROM message WHERE session = ? AND id = ?`;

/** Without the records: a page of those may be more than there is room for. */
export const SELECT_HISTORY = `SELECT ${COLUMNS.replace("codec, record", "codec")} FROM message
  WHERE session = ? AND position < ? AND ${IN_HISTORY} ORDER BY position DESC LIMIT ?`;

/** A message that entered the history after the rewinding, in the same batch, stays in it. */
const REWIND = `UPDATE message SET rewound_at = ?1
  WHERE session = ?2 AND position < ?1 AND ${IN_HISTORY}
    AND position >= (SELECT position FROM message WHERE session = ?2 AND id = ?3)`;

const AMEND =
  "UPDATE message SET last_seq = ?, fold_version = NULL, codec = NULL, record = NULL WHERE session = ? AND id = ?";

/** Setting up zstd takes longer than writing a page, and at the end of a turn somebody waits. */
const PAGE_BYTES = 4096;

/**
 * Done before the transaction, since packing a large record takes a while. The rows are copied at once: the engine goes
 * on changing those of messages that still stream.
 */
export function packMessages(messages: readonly MessageRow[]): Promise<PackedMessage[]> {
  return Promise.all(
    messages.map(async (row) => ({
      row: { ...row },
      record: row.record ? await pack(JSON.stringify(row.record), PAGE_BYTES) : null,
    })),
  );
}

/** A row replaces the former one of the same id as a whole. */
export function writeMessage(connection: Connection, session: number, { row, record }: PackedMessage): void {
  connection.run(
    UPSERT,
    session,
    row.id,
    row.role,
    row.state,
    row.firstSeq,
    row.lastSeq,
    row.position ?? null,
    row.turn ?? null,
    row.rewoundAt ?? null,
    row.foldVersion ?? null,
    row.request ?? null,
    row.response ?? null,
    record?.codec ?? null,
    record?.data ?? null,
  );
}

export function rewindMessages(
  connection: Connection,
  session: number,
  rewound: { before: string; seq: number },
): void {
  connection.run(REWIND, rewound.seq, session, rewound.before);
}

/** The stored record is out of date: it is dropped, and folded again from the log by whoever reads the message. */
export function amendMessage(
  connection: Connection,
  session: number,
  amended: { message: string; seq: number },
): void {
  connection.run(AMEND, amended.seq, session, amended.message);
}

export async function readMessage(
  connection: Connection,
  session: number,
  id: string,
): Promise<MessageRow | undefined> {
  const stored = connection.get<StoredMessage>(SELECT_ONE, session, id);
  return stored && toMessageRow(stored, await unpackRecord(stored));
}

export async function readHistory(
  connection: Connection,
  session: number,
  query: MessageQuery,
): Promise<{ messages: MessageRow[]; hasMore: boolean }> {
  const end =
    query.before === undefined ? Number.MAX_SAFE_INTEGER : positionOf(connection, session, query.before);
  if (end === undefined) return { messages: [], hasMore: false };
  const newestFirst = connection.all<StoredMessage>(SELECT_HISTORY, session, end, query.limit + 1);
  const budget = new PageBudget(query.limit, query.maxBytes);
  const messages: MessageRow[] = [];
  for (const found of newestFirst) {
    const text = query.withoutRecords ? undefined : await readRecord(connection, session, found);
    if (!budget.takeText(text ?? "")) break;
    messages.push(toMessageRow(found, text));
  }
  return { messages: messages.reverse(), hasMore: newestFirst.length > messages.length };
}

/** A prompt that waits comes after the whole history. Undefined when there is no such message. */
function positionOf(connection: Connection, session: number, id: string): number | undefined {
  const sql = "SELECT position FROM message WHERE session = ? AND id = ?";
  const found = connection.get<{ position: number | null }>(sql, session, id);
  return found && (found.position ?? Number.MAX_SAFE_INTEGER);
}

function toMessageRow(stored: StoredMessage, record: string | undefined): MessageRow {
  return dropNulls({
    id: stored.id,
    role: stored.role,
    state: stored.state,
    firstSeq: stored.first_seq,
    lastSeq: stored.last_seq,
    position: stored.position,
    turn: stored.turn,
    rewoundAt: stored.rewound_at,
    foldVersion: stored.fold_version,
    request: stored.request,
    response: stored.response,
    record: record === undefined ? null : (JSON.parse(record) as MessageRecord),
  });
}

async function readRecord(
  connection: Connection,
  session: number,
  { id, codec }: StoredMessage,
): Promise<string | undefined> {
  if (codec === null) return undefined;
  const stored = connection.get<StoredRecord>(SELECT_RECORD, session, id);
  return stored && unpackRecord(stored);
}

/** A record of another fold version is left out, so that the caller folds it again. */
async function unpackRecord({ record, codec, fold_version }: StoredRecord): Promise<string | undefined> {
  if (!record || codec === null || fold_version !== MESSAGE_FOLD_VERSION) return undefined;
  return unpack(record, codec);
}
