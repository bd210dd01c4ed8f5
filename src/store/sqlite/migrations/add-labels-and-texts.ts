/**
 * Format 8: which sessions are pinned or archived and what they cost, the texts of messages and an index of their words,
 * and usage by model. What was used before keeps no model. The texts of older messages are added later, little by little.
 */
import { DamagedDataError } from "../../damaged-data.ts";
import type { Connection } from "../connection.ts";
import { assertSessionRecord, givenChecksum, type SessionRecord } from "../session-row.ts";

/**
 * `message_text.id` is the number of the message's row, as is the row id in `message_search`. The words are cut before, so
 * the tokenizer has only spaces to find, and where in a text a word stands is not kept. `text_backlog` has a row while
 * texts are missing: those of messages before that number.
 */
const TABLES = `
ALTER TABLE session ADD COLUMN pinned INTEGER;
ALTER TABLE session ADD COLUMN archived INTEGER;
ALTER TABLE session ADD COLUMN cost_nano INTEGER;
CREATE INDEX session_pinned ON session (updated_at) WHERE pinned IS NOT NULL;
CREATE INDEX session_archived ON session (updated_at) WHERE archived IS NOT NULL;
CREATE TABLE message_text (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  at INTEGER NOT NULL,
  text TEXT NOT NULL,
  checksum INTEGER
);
CREATE INDEX message_text_by_session ON message_text (session);
CREATE VIRTUAL TABLE message_search USING fts5(
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
CREATE TABLE text_backlog (
  id INTEGER PRIMARY KEY,
  before INTEGER NOT NULL
);
INSERT INTO text_backlog (id, before) SELECT 1, max(row_id) + 1 FROM message HAVING count(*) > 0;
ALTER TABLE usage_day ADD COLUMN model TEXT NOT NULL DEFAULT '';
ALTER TABLE usage_day ADD COLUMN allowed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE usage_day ADD COLUMN denied INTEGER NOT NULL DEFAULT 0;
DROP INDEX usage_day_by_session;
CREATE UNIQUE INDEX usage_day_by_session ON usage_day (session, day, model);
`;

/** No sum is larger than Node reads. */
const SELECT_COSTS = `SELECT session.*, min(sum(cost_nano_of_day), ${Number.MAX_SAFE_INTEGER}) AS cost
  FROM session JOIN (SELECT session, CAST(cost_nano AS REAL) AS cost_nano_of_day FROM usage_day WHERE cost_nano > 0) AS day
    ON day.session = session.id GROUP BY session.id`;
const SET_COST = "UPDATE session SET cost_nano = ?, row_checksum = ? WHERE id = ?";

export function addLabelsAndTexts(connection: Connection): void {
  connection.exec(TABLES);
  for (const record of connection.all<SessionRecord & { cost: number }>(SELECT_COSTS)) {
    // The damage stays visible.
    if (!isWhole(record)) continue;
    const cost_nano = Math.round(record.cost);
    connection.run(SET_COST, cost_nano, givenChecksum({ ...record, cost_nano }), record.id);
  }
}

function isWhole(record: SessionRecord): boolean {
  try {
    assertSessionRecord(record);
    return true;
  } catch (error) {
    if (error instanceof DamagedDataError) return false;
    throw error;
  }
}
