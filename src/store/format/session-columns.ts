/** Sessions as both stores on disk have them in their columns. */
import type { ForkedFrom } from "../../core/fork-fields.ts";
import type { SessionStatus } from "../../core/session-status.ts";
import type { PromptPreparation, SessionRow } from "../../core/store.ts";
import { parseStored } from "../damaged-data.ts";
import { dropNulls } from "./drop-nulls.ts";

const NANO = 1e9;

/** `Flag` is what the database has for booleans. */
export interface SessionColumns<Flag> {
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
  attached: Flag;
  /** JSON. */
  metadata: string | null;
  request: string;
  /** JSON. */
  forked_from: string | null;
  pinned: Flag | null;
  archived: Flag | null;
  cost_nano: number | null;
  cut_off_at: number | null;
  /** JSON. */
  preparing: string | null;
  head: number;
  raw_head: number;
}

export function toCostNano(cost: number | undefined): number | null {
  return cost === undefined ? null : Math.round(cost * NANO);
}

/** JSON, or null where there is nothing. */
export function toJson(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function toPreparing({
  preparing,
}: Pick<SessionColumns<unknown>, "preparing">): PromptPreparation | undefined {
  return preparing === null ? undefined : parseStored<PromptPreparation>(preparing, "the prompt it prepared");
}

export function toSessionRow(stored: SessionColumns<boolean | number>): SessionRow {
  return dropNulls({
    id: stored.key,
    agent: stored.agent,
    cwd: stored.cwd,
    title: stored.title,
    status: stored.status,
    model: stored.model,
    mode: stored.mode,
    permissionMode: stored.permission_mode,
    metadata:
      stored.metadata === null ? null : parseStored<Record<string, unknown>>(stored.metadata, "its metadata"),
    agentSessionId: stored.agent_session_id,
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    head: stored.head,
    rawHead: stored.raw_head,
    openAsks: stored.open_asks,
    queued: stored.queued,
    attached: Boolean(stored.attached),
    request: stored.request,
    forkedFrom:
      stored.forked_from === null ? null : parseStored<ForkedFrom>(stored.forked_from, "where it began"),
    pinned: stored.pinned ? (true as const) : null,
    archived: stored.archived ? (true as const) : null,
    cost: stored.cost_nano === null ? null : stored.cost_nano / NANO,
    cutOffAt: stored.cut_off_at,
  });
}
