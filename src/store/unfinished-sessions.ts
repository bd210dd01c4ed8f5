/** Which sessions need the engine's attention after a daemon died. */
import type { SessionRow } from "../core/store.ts";

/** A turn is open, a prompt waits, a person is asked or an agent was running. The SQLite store has the same rule as an index. */
export function isUnfinished(row: SessionRow): boolean {
  const isOpen = ["running", "waiting", "recovering"].includes(row.status);
  return isOpen || row.queued > 0 || row.openAsks > 0 || row.attached;
}
