/** Which sessions need the engine's attention after a daemon died. */
import type { SessionRow } from "../core/store.ts";

/** A turn is open, a prompt waits or a person is asked. The SQLite store has the same rule as an index. */
export function isUnfinished(row: SessionRow): boolean {
  return ["running", "waiting", "recovering"].includes(row.status) || row.queued > 0 || row.openAsks > 0;
}
