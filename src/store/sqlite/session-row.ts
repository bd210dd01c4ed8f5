/** Sessions as rows of the `session` table. */
import { crc32 } from "node:zlib";
import type { SessionAppend, SessionRow } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import { type SessionColumns, toCostNano, toJson } from "../format/session-columns.ts";
import type { Connection } from "./connection.ts";

/** What a session is created with. */
const FIXED = ["key", "agent", "cwd", "created_at", "request"] as const;

/** What changes now and then, but not with every commit. In the order of `changingValues`. */
const CHANGING = [
  "title",
  "status",
  "model",
  "mode",
  "permission_mode",
  "agent_session_id",
  "updated_at",
  "open_asks",
  "queued",
  "attached",
  "metadata",
] as const;

const GIVEN = [...FIXED, ...CHANGING];

/** Fixed too. The checksum covers it only where there is one: rows from before the column was added have a checksum without. */
const ORIGIN = "forked_from";

/** Changing too, and covered only where there is one, for the same reason. */
const LABELS = ["pinned", "archived", "cost_nano", "cut_off_at"] as const;

/** Covered only where there is one, too: the prompt that is being prepared. */
const PREPARING = "preparing";

/** How many of them were added first. The checksum takes each group as one value. */
const FIRST_LABELS = 3;

/** How far the log goes, which session it is, and the checksum over both. */
const LOG = ["id", "key", "agent", "head", "raw_head", "tail_events", "tail_bytes", "search_texts"] as const;

export const LOG_COLUMNS = columns([...LOG, "log_checksum"]);
export const SESSION_COLUMNS = columns([
  ...new Set([...LOG, ...GIVEN]),
  ORIGIN,
  ...LABELS,
  PREPARING,
  "row_checksum",
  "log_checksum",
]);

const INSERTED = [...GIVEN, ORIGIN, ...LABELS, PREPARING, "row_checksum"];
const INSERT = `INSERT INTO session (${INSERTED.join(", ")}) VALUES (${INSERTED.map(() => "?").join(", ")})`;

const UPDATED = [...CHANGING, ...LABELS, PREPARING, "row_checksum"];
const UPDATE = `UPDATE session SET ${UPDATED.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;

const SELECT_FOR_APPEND = `SELECT ${LOG_COLUMNS}, ${[...CHANGING, ...LABELS, PREPARING].join(", ")} FROM session WHERE key = ?`;
const SELECT_GIVEN = `SELECT ${INSERTED.join(", ")} FROM session WHERE id = ?`;
const SELECT_LOG = `SELECT ${LOG_COLUMNS} FROM session WHERE key = ?`;
const SELECT_LOG_BY_NUMBER = `SELECT ${LOG_COLUMNS} FROM session WHERE id = ?`;

const ADVANCE = `UPDATE session SET head = ?, raw_head = ?, tail_events = ?, tail_bytes = ?, search_texts = ?,
  log_checksum = ? WHERE id = ?`;

function columns(names: readonly string[]): string {
  return names.map((name) => `session.${name}`).join(", ");
}

type GivenRow = Pick<SessionAppend, "row" | "preparing">;

/** How far a session's log goes, and what of it is not packed yet. */
export interface LogExtent {
  head: number;
  raw_head: number;
  tail_events: number;
  tail_bytes: number;
  search_texts: number;
}

export interface SessionIdentity {
  id: number;
  key: string;
  agent: string;
}

export type LogRecord = SessionIdentity & LogExtent & { log_checksum: Checksum };

export type SessionRecord = LogRecord & SessionColumns<number> & { row_checksum: Checksum };

type Labels = Pick<SessionRecord, (typeof LABELS)[number]>;

/** What an append needs to know of the stored session. */
export type StoredSession = LogRecord &
  Pick<SessionRecord, (typeof CHANGING)[number] | typeof PREPARING> &
  Labels;

/** Throws, like all that read a row here, when it is not what was stored. */
export function findForAppend(connection: Connection, key: string): StoredSession | undefined {
  const record = connection.get<StoredSession>(SELECT_FOR_APPEND, key);
  if (record) assertLogRecord(record, key);
  return record;
}

export function findLog(connection: Connection, key: string): LogRecord | undefined {
  const record = connection.get<LogRecord>(SELECT_LOG, key);
  if (record) assertLogRecord(record, key);
  return record;
}

export function findLogByNumber(connection: Connection, session: number): LogRecord | undefined {
  const record = connection.get<LogRecord>(SELECT_LOG_BY_NUMBER, session);
  if (record) assertLogRecord(record);
  return record;
}

/** Where a session works that is known to be there. */
export function requireDirectory(connection: Connection, session: number): string {
  const given = connection.get<Given>(SELECT_GIVEN, session)!;
  assertGiven(given);
  return given.cwd;
}

export function insertSession(connection: Connection, { row, preparing }: GivenRow): number {
  const values = [row.id, row.agent, row.cwd, row.createdAt, row.request, ...changingValues(row)];
  const origin = toJson(row.forkedFrom);
  const labels = labelsOf(row);
  const prepared = toJson(preparing);
  const checksum = checksumOf(values, origin, labels, prepared);
  return connection.insert(INSERT, ...values, origin, ...labels, prepared, checksum);
}

/** Written only when something changed: most commits add events and nothing else, and each index costs a page. */
export function updateSession(
  connection: Connection,
  stored: StoredSession,
  { row, preparing }: GivenRow,
): void {
  const values = changingValues(row);
  const labels = labelsOf(row);
  const prepared = toJson(preparing);
  const isSame =
    CHANGING.every((column, index) => stored[column] === values[index]) &&
    LABELS.every((column, index) => stored[column] === labels[index]) &&
    stored.preparing === prepared;
  if (isSame) return;
  const before = connection.get<Given>(SELECT_GIVEN, stored.id)!;
  assertGiven(before);
  const all = [...FIXED.map((column) => before[column]), ...values];
  const checksum = checksumOf(all, before.forked_from, labels, prepared);
  connection.run(UPDATE, ...values, ...labels, prepared, checksum, stored.id);
}

export function advanceSession(connection: Connection, session: SessionIdentity, extent: LogExtent): void {
  const { head, raw_head, tail_events, tail_bytes, search_texts } = extent;
  const checksum = logChecksum(session, session.key, extent);
  connection.run(ADVANCE, head, raw_head, tail_events, tail_bytes, search_texts, checksum, session.id);
}

/** With `key` it also checks that this is the requested session: a damaged index can lead to another. */
export function assertLogRecord(record: LogRecord, key = record.key): void {
  const what = "what is stored of its log's length";
  assertChecksum(record.log_checksum, what, () => logChecksum(record, key, record));
}

export function assertSessionRecord(record: SessionRecord, key = record.key): void {
  assertLogRecord(record, key);
  assertGiven(record);
}

type Given = Pick<
  SessionRecord,
  (typeof GIVEN)[number] | typeof ORIGIN | (typeof LABELS)[number] | typeof PREPARING | "row_checksum"
>;

function assertGiven(record: Given): void {
  assertChecksum(record.row_checksum, "its row", () => givenChecksum(record));
}

export function givenChecksum(record: Given): number {
  return checksumOf(
    GIVEN.map((column) => record[column]),
    record.forked_from,
    LABELS.map((column) => record[column]),
    record.preparing,
  );
}

function checksumOf(
  values: readonly (string | number | null)[],
  origin: string | null,
  labels: readonly (number | null)[],
  preparing: string | null,
): number {
  const covered = [...values];
  if (origin !== null) covered.push(origin);
  for (const some of [labels.slice(0, FIRST_LABELS), labels.slice(FIRST_LABELS)])
    if (some.some((label) => label !== null)) covered.push(some.map((label) => label ?? "").join(" "));
  if (preparing !== null) covered.push(preparing);
  return rowChecksum(covered);
}

/** In the order of the columns. */
function labelsOf({ pinned, archived, cost, cutOffAt }: SessionRow): (number | null)[] {
  return [pinned ? 1 : null, archived ? 1 : null, toCostNano(cost), cutOffAt ?? null];
}

/** Spelled out for speed: every commit needs it twice. */
export function logChecksum({ id, agent }: SessionIdentity, key: string, extent: LogExtent): number {
  const { head, raw_head, tail_events, tail_bytes, search_texts } = extent;
  return crc32(`${id} ${head} ${raw_head} ${tail_events} ${tail_bytes} ${search_texts} ${agent}\u001f${key}`);
}

function changingValues(row: SessionRow): (string | number | null)[] {
  return [
    row.title ?? null,
    row.status,
    row.model ?? null,
    row.mode ?? null,
    row.permissionMode ?? null,
    row.agentSessionId ?? null,
    row.updatedAt,
    row.openAsks,
    row.queued,
    row.attached ? 1 : 0,
    toJson(row.metadata),
  ];
}
