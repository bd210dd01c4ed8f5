/** Format 7: tokens besides that of the daemon, invitations, and who did what. */
import type { Connection } from "../connection.ts";

/** `audit.seq` is AUTOINCREMENT so that a cursor never means another entry. */
export function addPeople(connection: Connection): void {
  connection.exec(`
CREATE TABLE token (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  sessions TEXT,
  agents TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER,
  invitation TEXT,
  checksum INTEGER
);
CREATE TABLE invitation (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  session TEXT NOT NULL,
  role TEXT NOT NULL,
  name TEXT,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  token TEXT,
  checksum INTEGER
);
CREATE INDEX invitation_by_session ON invitation (session);
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  token TEXT,
  role TEXT,
  dialect TEXT NOT NULL,
  action TEXT NOT NULL,
  session TEXT,
  outcome TEXT NOT NULL,
  code TEXT,
  detail TEXT,
  checksum INTEGER
);
CREATE INDEX audit_by_session ON audit (session, seq);
`);
}
