/** Format 12: how long turns waited for a person. Of earlier ones it is not known. */
import type { Connection } from "../connection.ts";

export function addWaitedTimes(connection: Connection): void {
  connection.exec("ALTER TABLE usage_day ADD COLUMN waited_ms REAL NOT NULL DEFAULT 0");
}
