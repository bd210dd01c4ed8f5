/** Sessions as rows of the `session` table, and where their logs end. */
import type { PromptPreparation, SessionAppend, SessionRow } from "../../core/store.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import {
  type SessionColumns,
  toCostNano,
  toJson,
  toPreparing,
  toSessionRow,
} from "../format/session-columns.ts";
import { decodeOptional, decodeTexts, encodeOptional, encodeText } from "./stored-text.ts";

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
  preparing: "text",
} as const;

const COLUMNS = ["id", ...Object.keys(FIXED_COLUMNS), ...Object.keys(CHANGING_COLUMNS)];

export const SESSION_COLUMNS = `${COLUMNS.map((name) => `session.${name}`).join(", ")}, log_head.head, log_head.raw_head,
  (SELECT node.name FROM node WHERE node.id = log_head.owner AND NOT node.dead) AS node,
  (SELECT node.id FROM node WHERE node.id = log_head.owner AND NOT node.dead) AS node_number`;
export const SESSIONS = "session JOIN log_head ON log_head.session = session.id";

export interface SessionRecord extends SessionColumns<boolean> {
  id: number;
  node: string | null;
  node_number: number | null;
}

export function fixedValues(row: SessionRow): Record<keyof typeof FIXED_COLUMNS, string | number | null> {
  return {
    key: encodeText(row.id),
    agent: encodeText(row.agent),
    cwd: encodeText(row.cwd),
    created_at: row.createdAt,
    request: encodeText(row.request),
    forked_from: toJson(row.forkedFrom),
  };
}

export function changingValues({
  row,
  preparing,
}: Pick<SessionAppend, "row" | "preparing">): Record<
  keyof typeof CHANGING_COLUMNS,
  string | number | boolean | null
> {
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
    metadata: toJson(row.metadata),
    pinned: row.pinned ?? null,
    archived: row.archived ?? null,
    cost_nano: toCostNano(row.cost),
    cut_off_at: row.cutOffAt ?? null,
    preparing: preparing === undefined ? null : encodeText(JSON.stringify(preparing)),
  };
}

export function decodePreparing({ preparing }: SessionRecord): PromptPreparation | undefined {
  return toPreparing({ preparing: decodeOptional(preparing) });
}

export function decodeSession(record: SessionRecord): SessionRow {
  const { node, node_number: nodeNumber } = record;
  const row = toSessionRow(decodeTexts(record, ["metadata", "forked_from"]));
  return dropNulls({ ...row, node, nodeNumber });
}
