/** Sessions as rows of the `session` table. */
import { crc32 } from "node:zlib";
import type { ForkedFrom } from "../../core/fork-fields.ts";
import type { SessionStatus } from "../../core/session-status.ts";
import type { SessionRow } from "../../core/store.ts";
import { parseStored } from "../damaged-data.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import { dropNulls } from "../format/drop-nulls.ts";
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

/** Fixed too, but newer than the checksums, which cover it only where there is one. */
const ORIGIN = "forked_from";

/** Changing too, and covered only where there is one, for the same reason. */
const LABELS = ["pinned", "archived", "cost_nano", "cut_off_at"] as const;

/** How many of them the first format with labels had. */
const FIRST_LABELS = 3;

const NANO = 1e9;

/** How far the log goes, which session it is, and the checksum over both. */
const LOG = ["id", "key", "agent", "head", "raw_head", "tail_events", "tail_bytes", "search_texts"] as const;

export const LOG_COLUMNS = columns([...LOG, "log_checksum"]);
export const SESSION_COLUMNS = columns([
  ...new Set([...LOG, ...GIVEN]),
  ORIGIN,
  ...LABELS,
  "row_checksum",
  "log_checksum",
]);

const INSERTED = [...GIVEN, ORIGIN, ...LABELS, "row_checksum"];
const INSERT = `INSERT INTO session (${INSERTED.join(", ")}) VALUES (${INSERTED.map(() => "?").join(", ")})`;

const UPDATED = [...CHANGING, ...LABELS, "row_checksum"];
const UPDATE = `UPDATE session SET ${UPDATED.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;

const SELECT_FOR_APPEND = `SELECT ${LOG_COLUMNS}, ${[...CHANGING, ...LABELS].join(", ")} FROM session WHERE key = ?`;
const SELECT_GIVEN = `SELECT ${INSERTED.join(", ")} FROM session WHERE id = ?`;
const SELECT_LOG = `SELECT ${LOG_COLUMNS} FROM session WHERE key = ?`;
const SELECT_LOG_BY_NUMBER = `SELECT ${LOG_COLUMNS} FROM session WHERE id = ?`;

const ADVANCE = `UPDATE session SET head = ?, raw_head = ?, tail_events = ?, tail_bytes = ?, search_texts = ?,
  log_checksum = ? WHERE id = ?`;

function columns(names: readonly string[]): string {
  return names.map((name) => `session.${name}`).join(", ");
}

/** How far a session's log goes, and what of it is not packed yet. */
export interface LogExtent {
  head: number;
  raw_head: number;
  tail_events: number;
  tail_bytes: number;
  search_texts: number;
}

/** Which session it is. */
export interface SessionIdentity {
  id: number;
  key: string;
  agent: string;
}

export type LogRecord = SessionIdentity & LogExtent & { log_checksum: Checksum };

export interface SessionRecord extends LogRecord {
  cwd: string;
  title: string | null;
  status: SessionStatus;
  model: string | null;
  mode: string | null;
  permission_mode: string | null;
  agent_session_id: string | null;
  created_at: number;
  updated_at: number;
  open_asks: number;
  queued: number;
  attached: number;
  metadata: string | null;
  request: string;
  forked_from: string | null;
  pinned: number | null;
  archived: number | null;
  cost_nano: number | null;
  cut_off_at: number | null;
  row_checksum: Checksum;
}

type Labels = Pick<SessionRecord, (typeof LABELS)[number]>;

/** What an append needs to know of the stored session. */
export type StoredSession = LogRecord & Pick<SessionRecord, (typeof CHANGING)[number]> & Labels;

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

/** Returns the new session's number. */
export function insertSession(connection: Connection, row: SessionRow): number {
  const values = [row.id, row.agent, row.cwd, row.createdAt, row.request, ...changingValues(row)];
  const origin = row.forkedFrom === undefined ? null : JSON.stringify(row.forkedFrom);
  const labels = labelsOf(row);
  return connection.insert(INSERT, ...values, origin, ...labels, checksumOf(values, origin, labels));
}

/** Written only when something changed: most commits add events and nothing else, and each index costs a page. */
export function updateSession(connection: Connection, stored: StoredSession, row: SessionRow): void {
  const values = changingValues(row);
  const labels = labelsOf(row);
  const isSame =
    CHANGING.every((column, index) => stored[column] === values[index]) &&
    LABELS.every((column, index) => stored[column] === labels[index]);
  if (isSame) return;
  const before = connection.get<Given>(SELECT_GIVEN, stored.id)!;
  assertGiven(before);
  const all = [...FIXED.map((column) => before[column]), ...values];
  connection.run(UPDATE, ...values, ...labels, checksumOf(all, before.forked_from, labels), stored.id);
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

type Given = Pick<SessionRecord, (typeof GIVEN)[number] | typeof ORIGIN | "row_checksum"> & Partial<Labels>;

function assertGiven(record: Given): void {
  assertChecksum(record.row_checksum, "its row", () => givenChecksum(record));
}

export function givenChecksum(record: Given): number {
  return checksumOf(
    GIVEN.map((column) => record[column]),
    record.forked_from,
    LABELS.map((column) => record[column]),
  );
}

/** Origin and labels are absent in rows of older formats, while they are brought up to date. */
function checksumOf(
  values: readonly (string | number | null)[],
  origin: string | null | undefined,
  labels: readonly (number | null | undefined)[],
): number {
  const covered = [...values];
  if (origin != null) covered.push(origin);
  for (const some of [labels.slice(0, FIRST_LABELS), labels.slice(FIRST_LABELS)])
    if (some.some((label) => label != null)) covered.push(some.map((label) => label ?? "").join(" "));
  return rowChecksum(covered);
}

/** In the order of the columns. */
function labelsOf({ pinned, archived, cost, cutOffAt }: SessionRow): (number | null)[] {
  return [
    pinned ? 1 : null,
    archived ? 1 : null,
    cost === undefined ? null : Math.round(cost * NANO),
    cutOffAt ?? null,
  ];
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
    row.metadata === undefined ? null : JSON.stringify(row.metadata),
  ];
}

export function toSessionRow(record: SessionRecord): SessionRow {
  return dropNulls({
    id: record.key,
    agent: record.agent,
    cwd: record.cwd,
    title: record.title,
    status: record.status,
    model: record.model,
    mode: record.mode,
    permissionMode: record.permission_mode,
    metadata:
      record.metadata === null ? null : parseStored<Record<string, unknown>>(record.metadata, "its metadata"),
    agentSessionId: record.agent_session_id,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    head: record.head,
    rawHead: record.raw_head,
    openAsks: record.open_asks,
    queued: record.queued,
    attached: record.attached === 1,
    request: record.request,
    forkedFrom:
      record.forked_from === null ? null : parseStored<ForkedFrom>(record.forked_from, "where it began"),
    pinned: record.pinned === 1 ? (true as const) : null,
    archived: record.archived === 1 ? (true as const) : null,
    cost: record.cost_nano === null ? null : record.cost_nano / NANO,
    cutOffAt: record.cut_off_at,
  });
}
