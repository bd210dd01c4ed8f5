/** A session in a few fields, as the feed reports it whenever it changes. */
import type { SessionRow } from "./store.ts";

export type SessionSummary = Pick<
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
  | "forkedFrom"
> & { session: string };

export function summarizeSession(row: SessionRow): SessionSummary {
  const { id, agent, cwd, title, status, head, openAsks, queued, createdAt, updatedAt } = row;
  const { cost, pinned, archived, forkedFrom } = row;
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
    forkedFrom,
  };
}
