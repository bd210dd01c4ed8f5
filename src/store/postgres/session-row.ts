/** Sessions as rows of the `session` table, and where their logs end. */
import type { ForkedFrom } from "../../core/fork-fields.ts";
import type { SessionStatus } from "../../core/session-status.ts";
import type { SessionRow } from "../../core/store.ts";
import { parseStored } from "../damaged-data.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import { decodeOptional, decodeText, encodeOptional, encodeText } from "./stored-text.ts";

const NANO = 1e9;

/** What a session is created with, by column and type. */
export const FIXED_COLUMNS = {
  key: "text",
  agent: "text",
  cwd: "text",
  created_at: "bigint",
  request: "text",
  forked_from: "text",
} as const;

/** What changes now and then, but not with every commit. */
export const CHANGING_COLUMNS = {
  title: "text",
  status: "text",
  model: "text",
  mode: "text",
  permission_mode: "text",
  agent_session_id: "text",
  updated_at: "bigint",
  open_asks: "bigint",
  queued: "bigint",
  attached: "boolean",
  metadata: "text",
  pinned: "boolean",
  archived: "boolean",
  cost_nano: "double precision",
  cut_off_at: "bigint",
} as const;

const COLUMNS = ["id", ...Object.keys(FIXED_COLUMNS), ...Object.keys(CHANGING_COLUMNS)];

export const SESSION_COLUMNS = `${COLUMNS.map((name) => `session.${name}`).join(", ")}, log_head.head, log_head.raw_head,
  (SELECT node.name FROM node WHERE node.id = log_head.owner AND NOT node.dead) AS node`;
export const SESSIONS = "session JOIN log_head ON log_head.session = session.id";

export interface SessionRecord {
  id: number;
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
  open_asks: number;
  queued: number;
  attached: boolean;
  metadata: string | null;
  request: string;
  forked_from: string | null;
  pinned: boolean | null;
  archived: boolean | null;
  cost_nano: number | null;
  cut_off_at: number | null;
  head: number;
  raw_head: number;
  node: string | null;
}

export function fixedValues(row: SessionRow): Record<keyof typeof FIXED_COLUMNS, string | number | null> {
  return {
    key: encodeText(row.id),
    agent: encodeText(row.agent),
    cwd: encodeText(row.cwd),
    created_at: row.createdAt,
    request: encodeText(row.request),
    forked_from: row.forkedFrom === undefined ? null : JSON.stringify(row.forkedFrom),
  };
}

export function changingValues(
  row: SessionRow,
): Record<keyof typeof CHANGING_COLUMNS, string | number | boolean | null> {
  return {
    title: encodeOptional(row.title),
    status: row.status,
    model: encodeOptional(row.model),
    mode: encodeOptional(row.mode),
    permission_mode: encodeOptional(row.permissionMode),
    agent_session_id: encodeOptional(row.agentSessionId),
    updated_at: row.updatedAt,
    open_asks: row.openAsks,
    queued: row.queued,
    attached: row.attached,
    metadata: row.metadata === undefined ? null : JSON.stringify(row.metadata),
    pinned: row.pinned ?? null,
    archived: row.archived ?? null,
    cost_nano: row.cost === undefined ? null : Math.round(row.cost * NANO),
    cut_off_at: row.cutOffAt ?? null,
  };
}

export function toSessionRow(record: SessionRecord): SessionRow {
  return dropNulls({
    id: decodeText(record.key),
    agent: decodeText(record.agent),
    cwd: decodeText(record.cwd),
    title: decodeOptional(record.title),
    status: record.status,
    model: decodeOptional(record.model),
    mode: decodeOptional(record.mode),
    permissionMode: decodeOptional(record.permission_mode),
    metadata:
      record.metadata === null ? null : parseStored<Record<string, unknown>>(record.metadata, "its metadata"),
    agentSessionId: decodeOptional(record.agent_session_id),
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    head: record.head,
    rawHead: record.raw_head,
    openAsks: record.open_asks,
    queued: record.queued,
    attached: record.attached,
    request: decodeText(record.request),
    forkedFrom:
      record.forked_from === null ? null : parseStored<ForkedFrom>(record.forked_from, "where it began"),
    pinned: record.pinned ? (true as const) : null,
    archived: record.archived ? (true as const) : null,
    cost: record.cost_nano === null ? null : record.cost_nano / NANO,
    cutOffAt: record.cut_off_at,
    node: record.node,
  });
}
