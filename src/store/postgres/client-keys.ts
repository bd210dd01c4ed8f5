/** Keys of client protocols as rows of the `client_key` table. */
import type { ClientKey } from "../../core/store.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeText, encodeText } from "./stored-text.ts";

/** The newest one, since a key may be reused. */
const SELECT = `SELECT session.key AS session, client_key.seq FROM client_key JOIN session ON session.id = client_key.session
  WHERE client_key.dialect = $1 AND client_key.key = $2 ORDER BY client_key.id DESC LIMIT 1`;

const MOVE = `WITH target AS (SELECT id FROM session WHERE key = $1),
  former AS (DELETE FROM client_key WHERE dialect = $2 AND key = $3 AND EXISTS (SELECT 1 FROM target))
  INSERT INTO client_key (session, dialect, key, seq) SELECT id, $2, $3, $4::bigint FROM target`;

/** Removes the key wherever it is, and gives it to the session, if there is one. */
export async function moveClientKey(
  connection: PostgresConnection,
  session: string,
  { dialect, key, seq }: ClientKey,
): Promise<void> {
  await connection.write(MOVE, [encodeText(session), encodeText(dialect), encodeText(key), seq]);
}

export async function findClientKey(
  connection: PostgresConnection,
  dialect: string,
  key: string,
): Promise<{ session: string; seq: number } | undefined> {
  const [found] = await connection.query<{ session: string; seq: number }>(SELECT, [
    encodeText(dialect),
    encodeText(key),
  ]);
  return found && { session: decodeText(found.session), seq: found.seq };
}
