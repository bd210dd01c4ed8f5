/** Format 3: the keys by which client protocols find sessions and places in them. */
import type { Connection } from "../connection.ts";

export function addClientKeys(connection: Connection): void {
  connection.exec(`
CREATE TABLE client_key (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  dialect TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  checksum INTEGER
);
CREATE INDEX client_key_by_key ON client_key (dialect, key, id);
CREATE INDEX client_key_by_session ON client_key (session);
`);
}
