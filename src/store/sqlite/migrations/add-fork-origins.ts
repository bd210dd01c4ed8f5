/** Format 5: the session that a session began as a copy of. The checksums of the others stay as they are. */
import type { Connection } from "../connection.ts";

export function addForkOrigins(connection: Connection): void {
  connection.exec("ALTER TABLE session ADD COLUMN forked_from TEXT");
}
