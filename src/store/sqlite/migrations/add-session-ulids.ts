/** Format 6: sessions from before the AgentSmithy dialect get the key by which its clients find them. */
import { sessionUlid } from "../../../core/session-ulid.ts";
import { writeClientKey } from "../client-keys.ts";
import type { Connection } from "../connection.ts";

/** As the dialect is called; later sessions get theirs from it, with their first event. */
const DIALECT = "agentsmithy";

export function addSessionUlids(connection: Connection): void {
  const sessions = connection.all<{ id: number; key: string; created_at: number }>(
    "SELECT id, key, created_at FROM session ORDER BY id",
  );
  for (const { id, key, created_at } of sessions)
    writeClientKey(connection, id, { dialect: DIALECT, key: sessionUlid(key, created_at), seq: 1 });
}
