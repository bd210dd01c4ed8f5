/** A session in a few fields, as the feed reports it whenever it changes. */
import type { SessionRow } from "./store.ts";

type SummaryFields = Pick<
  SessionRow,
  | "agent"
  | "cwd"
  | "title"
  | "status"
  | "head"
  | "openAsks"
  | "queued"
  | "createdAt"
  | "updatedAt"
  | "cost"
  | "pinned"
  | "archived"
  | "cutOffAt"
  | "forkedFrom"
  | "node"
  | "nodeNumber"
>;

export type SessionSummary = SummaryFields & { session: string };

/** From a row, or from a session as clients get it. */
export function summarizeSession(row: SummaryFields & { id: string }): SessionSummary {
  const { id, agent, cwd, title, status, head, openAsks, queued, createdAt, updatedAt } = row;
  const { cost, pinned, archived, cutOffAt, forkedFrom, node, nodeNumber } = row;
  return {
    session: id,
    agent,
    cwd,
    title,
    status,
    head,
    openAsks,
    queued,
    createdAt,
    updatedAt,
    cost,
    pinned,
    archived,
    cutOffAt,
    forkedFrom,
    node,
    nodeNumber,
  };
}

/** A session without what the progress of a turn changes: how far it is, when that was, and what it has cost. */
export function stateOf({
  head: _,
  updatedAt: __,
  cost: ___,
  ...state
}: Omit<SessionSummary, "node" | "nodeNumber">): string {
  return JSON.stringify(state);
}
