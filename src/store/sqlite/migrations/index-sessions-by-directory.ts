/** Format 4: sessions are found by their directory. */
import type { Connection } from "../connection.ts";

export function indexSessionsByDirectory(connection: Connection): void {
  connection.exec("CREATE INDEX session_by_cwd ON session (cwd, updated_at)");
}
