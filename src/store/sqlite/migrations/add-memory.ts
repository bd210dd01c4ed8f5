/** Format 13: what agents keep of their conversations, in pieces. One daemon alone writes none. */
import type { Connection } from "../connection.ts";

const TABLE = `
CREATE TABLE memory (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  part TEXT NOT NULL,
  seq INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  data BLOB NOT NULL,
  checksum INTEGER
);
CREATE UNIQUE INDEX memory_by_place ON memory (session, part, seq);
`;

export function addMemory(connection: Connection): void {
  connection.exec(TABLE);
}
