/** Keys of client protocols as rows of the `client_key` table. */
import type { ClientKey } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import type { Connection } from "./connection.ts";
import { assertLogRecord, LOG_COLUMNS, type LogRecord } from "./session-row.ts";

const INSERT = "INSERT INTO client_key (session, dialect, key, seq, checksum) VALUES (?, ?, ?, ?, ?)";

/** The newest one, since a key may be reused. */
const SELECT = `SELECT client_key.session, client_key.dialect, client_key.key AS client_key, client_key.seq,
  client_key.checksum, ${LOG_COLUMNS} FROM client_key JOIN session ON session.id = client_key.session
  WHERE client_key.dialect = ? AND client_key.key = ? ORDER BY client_key.id DESC LIMIT 1`;

type StoredKey = LogRecord & {
  session: number;
  dialect: string;
  client_key: string;
  seq: number;
  checksum: Checksum;
};

export function writeClientKey(
  connection: Connection,
  session: number,
  { dialect, key, seq }: ClientKey,
): void {
  connection.run(INSERT, session, dialect, key, seq, rowChecksum([session, dialect, key, seq]));
}

/** Removes the key wherever it is, and gives it to the session, if there is one. */
export function moveClientKey(connection: Connection, session: string, key: ClientKey): void {
  connection.transaction(() => {
    const found = connection.get<{ id: number }>("SELECT id FROM session WHERE key = ?", session);
    if (!found) return;
    connection.run("DELETE FROM client_key WHERE dialect = ? AND key = ?", key.dialect, key.key);
    writeClientKey(connection, found.id, key);
  });
}

/** Throws when the row is not what was stored. */
export function findClientKey(
  connection: Connection,
  dialect: string,
  key: string,
): { session: string; seq: number } | undefined {
  const stored = connection.get<StoredKey>(SELECT, dialect, key);
  if (!stored) return undefined;
  assertLogRecord(stored);
  assertChecksum(stored.checksum, `a key of ${dialect}`, () =>
    rowChecksum([stored.session, dialect, key, stored.seq]),
  );
  return { session: stored.key, seq: stored.seq };
}
