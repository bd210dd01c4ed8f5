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
>;

export type SessionSummary = SummaryFields & { session: string };

/** From a row, or from a session as clients get it. */
export function summarizeSession(row: SummaryFields & { id: string }): SessionSummary {
  const { id, agent, cwd, title, status, head, openAsks, queued, createdAt, updatedAt } = row;
  const { cost, pinned, archived, cutOffAt, forkedFrom, node } = row;
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
  };
}
