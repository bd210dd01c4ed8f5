/** Sessions as rows of the `session` table. */
import type { SQLInputValue } from "node:sqlite";
import type { SessionRow } from "../../core/store.ts";
import { dropNulls } from "./drop-nulls.ts";

/** Every column that the row gives, in the order of `sessionValues`. */
const COLUMNS = [
  "key",
  "agent",
  "cwd",
  "title",
  "status",
  "model",
  "mode",
  "permission_mode",
  "agent_session_id",
  "created_at",
  "updated_at",
  "head",
  "raw_head",
  "open_asks",
  "queued",
  "metadata",
  "request",
];

export const SESSION_COLUMNS = COLUMNS.map((column) => `session.${column}`).join(", ");

export const INSERT_SESSION = `INSERT INTO session (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map(() => "?").join(", ")})`;

export const UPDATE_SESSION = `UPDATE session SET ${COLUMNS.map((column) => `${column} = ?`).join(", ")},
  tail_events = tail_events + ?, tail_bytes = tail_bytes + ?, search_texts = search_texts + ? WHERE id = ?`;

export interface SessionRecord {
  key: string;
  agent: string;
  cwd: string;
  title: string | null;
  status: string;
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
  metadata: string | null;
  request: string;
}

export function sessionValues(row: SessionRow): SQLInputValue[] {
  return [
    row.id,
    row.agent,
    row.cwd,
    row.title ?? null,
    row.status,
    row.model ?? null,
    row.mode ?? null,
    row.permissionMode ?? null,
    row.agentSessionId ?? null,
    row.createdAt,
    row.updatedAt,
    row.head,
    row.rawHead,
    row.openAsks,
    row.queued,
    row.metadata === undefined ? null : JSON.stringify(row.metadata),
    row.request,
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
    request: record.request,
  }) as SessionRow;
}
