/** Removes a session and all its data. */
import type { Connection } from "./connection.ts";
import { deleteInvitationsOf } from "./invitations.ts";
import { removeTexts } from "./message-texts.ts";
import { removeFromIndex } from "./search.ts";

export const TABLES_OF_SESSION = [
  "snapshot",
  "tail",
  "block",
  "raw_blob",
  "message",
  "message_text",
  "text_to_index",
  "ask",
  "usage_day",
  "client_key",
  "memory",
];

export function deleteSession(connection: Connection, key: string): boolean {
  return connection.transaction(() => {
    const session = connection.get<{ id: number }>("SELECT id FROM session WHERE key = ?", key);
    if (!session) return false;
    // By the texts, which are removed next.
    removeTexts(connection, session.id);
    for (const table of TABLES_OF_SESSION)
      connection.run(`DELETE FROM ${table} WHERE session = ?`, session.id);
    removeFromIndex(connection, session.id);
    deleteInvitationsOf(connection, key);
    connection.run("DELETE FROM session WHERE id = ?", session.id);
    return true;
  });
}
