/** A session in a few fields, as the feed reports it whenever it changes. */
import type { SessionRow } from "./store.ts";

export type SessionSummary = Pick<
  SessionRow,
  "agent" | "title" | "status" | "head" | "openAsks" | "queued" | "updatedAt"
> & { session: string };

export function summarizeSession(row: SessionRow): SessionSummary {
  const { id, agent, title, status, head, openAsks, queued, updatedAt } = row;
  return { session: id, agent, title, status, head, openAsks, queued, updatedAt };
}
