/** Format 10: when a restart ended the last turn of a session. Of earlier ones it is not known. */
import type { Connection } from "../connection.ts";

export function addCutOffs(connection: Connection): void {
  connection.exec("ALTER TABLE session ADD COLUMN cut_off_at INTEGER");
}
