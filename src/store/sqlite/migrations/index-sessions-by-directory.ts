/**
 * Format 4: sessions are found by their directory. Without the time of the last change, which every commit would have to
 * write into one more index; the sessions of one directory are few enough to be sorted.
 */
import type { Connection } from "../connection.ts";

export function indexSessionsByDirectory(connection: Connection): void {
  connection.exec("CREATE INDEX session_by_cwd ON session (cwd)");
}
