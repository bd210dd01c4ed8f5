/** Sessions for tests of the list. */
import type { SessionSummary } from "../feed/feed-state.ts";

export function listedSession(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    session: id,
    agent: "mock",
    cwd: "/home/me/shop",
    status: "idle",
    head: 1,
    openAsks: 0,
    queued: 0,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}
