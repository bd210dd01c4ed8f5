/** Format 11: when tokens were last used. */
import type { Connection } from "../connection.ts";

export function addLastUses(connection: Connection): void {
  connection.exec("ALTER TABLE token ADD COLUMN last_used_at INTEGER");
  // Those that are there may have been used, and what was never used may be replaced.
  connection.exec("UPDATE token SET last_used_at = created_at");
}
