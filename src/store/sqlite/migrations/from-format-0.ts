/**
 * Format 0 had no asks, usage, snapshots or search, kept large raw records in line, and did not say the format of its
 * events. Those stay as they are, named format 0; they are read through ../../upcast.ts.
 */
import type { Connection } from "../connection.ts";
import { SCHEMA } from "../schema.ts";
import { indexTitle } from "../search.ts";

const OLD_TABLES = ["session", "tail", "block", "message"];

const COPY = `
INSERT INTO session (id, key, agent, cwd, title, status, model, created_at, updated_at, open_asks, queued, head, raw_head, request)
  SELECT id, key, agent, cwd, title, status, model, created_at, updated_at, 0, 0, head, raw_head, request FROM session_0;
INSERT INTO tail (session, first, last, raw_first, raw_last, format, events, raws)
  SELECT session, first, last, raw_first, raw_last, 0, events, raws FROM tail_0 ORDER BY session, last, rowid;
INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, data)
  SELECT session, first, last, raw_first, raw_last, 0, codec, data FROM block_0 ORDER BY session, last, rowid;
INSERT INTO message (session, id, role, state, first_seq, last_seq, position, turn, request, response)
  SELECT session, id, role, state, first_seq, last_seq, position, turn, request, response FROM message_0;
UPDATE session SET
  queued = (SELECT count(*) FROM message WHERE session = session.id AND state = 'queued'),
  tail_events = (SELECT ifnull(sum(last - first + 1), 0) FROM tail WHERE session = session.id),
  tail_bytes = (SELECT ifnull(sum(length(events) + length(raws)), 0) FROM tail WHERE session = session.id);
`;

export function migrateFromFormat0(connection: Connection): void {
  for (const table of OLD_TABLES) connection.exec(`ALTER TABLE ${table} RENAME TO ${table}_0`);
  connection.exec(SCHEMA);
  connection.exec(COPY);
  for (const table of OLD_TABLES) connection.exec(`DROP TABLE ${table}_0`);
  const sessions = connection.all<{ id: number; key: string; title: string | null }>(
    "SELECT id, key, title FROM session",
  );
  for (const { id, key, title } of sessions)
    indexTitle(connection, id, { id: key, title: title ?? undefined });
}
