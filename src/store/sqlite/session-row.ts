/** Sessions as rows of the `session` table. */
import type { SQLInputValue } from "node:sqlite";
import type { SessionStatus } from "../../core/session-status.ts";
import type { SessionRow } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { dropNulls } from "./drop-nulls.ts";

/** What a session is made with. */
const FIXED = ["key", "agent", "cwd", "created_at", "request"];

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

export const SESSION_COLUMNS = [...GIVEN, "head", "raw_head"].map((column) => `session.${column}`).join(", ");

const INSERT = `INSERT INTO session (${GIVEN.join(", ")}) VALUES (${GIVEN.map(() => "?").join(", ")})`;

const UPDATE = `UPDATE session SET ${CHANGING.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`;

const SELECT_FOR_APPEND = `SELECT id, head, raw_head, tail_events, tail_bytes, search_texts, ${CHANGING.join(", ")}
  FROM session WHERE key = ?`;

const ADVANCE = `UPDATE session SET head = ?, raw_head = ?, tail_events = ?, tail_bytes = ?, search_texts = ? WHERE id = ?`;

export interface SessionRecord {
  key: string;
  agent: string;
  cwd: string;
  title: string | null;
  status: SessionStatus;
  model: string | null;
  mode: string | null;
  permission_mode: string | null;
  agent_session_id: string | null;
  created_at: number;
  updated_at: number;
  head: number;
  raw_head: number;
  open_asks: number;
  queued: number;
  attached: number;
  metadata: string | null;
  request: string;
}

/** How far a session's log goes, and what of it is not packed yet. */
export interface LogExtent {
  head: number;
  raw_head: number;
  tail_events: number;
  tail_bytes: number;
  search_texts: number;
}

/** What an append needs to know of the session as it is stored. */
export type StoredSession = LogExtent & Pick<SessionRecord, (typeof CHANGING)[number]> & { id: number };

export function findForAppend(connection: Connection, key: string): StoredSession | undefined {
  return connection.get<StoredSession>(SELECT_FOR_APPEND, key);
}

/** Gives the new session's number. */
export function insertSession(connection: Connection, row: SessionRow): number {
  return connection.insert(
    INSERT,
    row.id,
    row.agent,
    row.cwd,
    row.createdAt,
    row.request,
    ...changingValues(row),
  );
}

/** Written only when something changed: most commits add events and nothing else, and each index costs a page. */
export function updateSession(connection: Connection, stored: StoredSession, row: SessionRow): void {
  const values = changingValues(row);
  if (CHANGING.some((column, index) => stored[column] !== values[index]))
    connection.run(UPDATE, ...values, stored.id);
}

export function advanceSession(connection: Connection, session: number, extent: LogExtent): void {
  const { head, raw_head, tail_events, tail_bytes, search_texts } = extent;
  connection.run(ADVANCE, head, raw_head, tail_events, tail_bytes, search_texts, session);
}

function changingValues(row: SessionRow): SQLInputValue[] {
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
    metadata: record.metadata === null ? null : JSON.parse(record.metadata),
    agentSessionId: record.agent_session_id,
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    head: record.head,
    rawHead: record.raw_head,
    openAsks: record.open_asks,
    queued: record.queued,
    attached: record.attached === 1,
    request: record.request,
  });
}
