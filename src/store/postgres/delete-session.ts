/** Removes a session and all its data. */
import type { Claim } from "../../core/ownership.ts";
import { sessionMoved } from "../../protocol/refusals.ts";
import type { PostgresConnection } from "./connection.ts";
import { encodeText } from "./stored-text.ts";

/** Every table with rows that belong to a session, besides `session` and `log_head`. */
export const TABLES_OF_SESSION = [
  "snapshot",
  "tail",
  "block",
  "raw_blob",
  "message",
  "message_text",
  "ask",
  "usage_day",
  "client_key",
  "search",
  "memory",
];

/**
 * Sent as one piece, which PostgreSQL takes as one transaction, so that nobody waits for us in between. The first statement waits for whoever writes or packs the
 * session, the others see what that left.
 */
export async function deleteSession(
  connection: PostgresConnection,
  key: string,
  claim?: Claim,
): Promise<boolean> {
  const sql =
    "SELECT session.id, epoch FROM session JOIN log_head ON log_head.session = session.id WHERE key = $1";
  const [found] = await connection.write<{ id: number; epoch: number }>(sql, [encodeText(key)]);
  if (!found) return false;
  if (claim && claim.epoch !== found.epoch) throw sessionMoved(key);
  // Both are numbers.
  const { id, epoch } = found;
  const ours = `IN (SELECT session FROM log_head WHERE session = ${id} AND epoch = ${epoch})`;
  const invited = `(SELECT key FROM session WHERE id ${ours})`;
  await connection.write(
    [
      `SELECT 1 FROM log_head WHERE session = ${id} AND epoch = ${epoch} FOR UPDATE`,
      ...TABLES_OF_SESSION.map((table) => `DELETE FROM ${table} WHERE session ${ours}`),
      `DELETE FROM token WHERE invitation IN (SELECT id FROM invitation WHERE session = ${invited})`,
      `DELETE FROM invitation WHERE session = ${invited}`,
      `DELETE FROM session WHERE id ${ours}`,
      `DELETE FROM log_head WHERE session = ${id} AND epoch = ${epoch}`,
    ].join("; "),
  );
  if (claim && (await connection.write(sql, [encodeText(key)])).length > 0) throw sessionMoved(key);
  return true;
}
