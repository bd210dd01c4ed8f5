/**
 * The tables of version 1. This file no longer changes once it is released: a change is a step in migrate.ts, which new
 * databases take too, so that they never differ from migrated ones.
 */
/** Follows the rule of `isUnfinished`. */
export const UNFINISHED =
  "status IN ('running', 'waiting', 'recovering') OR queued > 0 OR open_asks > 0 OR attached";

/** Messages that are part of the history. */
export const IN_HISTORY = "position IS NOT NULL AND rewound_at IS NULL AND state IN ('streaming', 'done')";

/**
 * `session.id` and `block.id` are AUTOINCREMENT so that no number is ever used again: packing in the background and
 * the cache of unpacked blocks hold on to them while a session may be deleted.
 */
export const SESSION_TABLES = `
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  cwd TEXT NOT NULL,
  title TEXT,
  status TEXT NOT NULL,
  model TEXT,
  mode TEXT,
  permission_mode TEXT,
  agent_session_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  open_asks INTEGER NOT NULL,
  queued INTEGER NOT NULL,
  attached INTEGER NOT NULL DEFAULT 0,
  head INTEGER NOT NULL DEFAULT 0,
  raw_head INTEGER NOT NULL DEFAULT 0,
  tail_events INTEGER NOT NULL DEFAULT 0,
  tail_bytes INTEGER NOT NULL DEFAULT 0,
  search_texts INTEGER NOT NULL DEFAULT 0,
  metadata TEXT,
  request TEXT NOT NULL
);
CREATE INDEX session_by_update ON session (updated_at);
CREATE INDEX session_by_agent ON session (agent, updated_at);
CREATE INDEX session_by_agent_and_status ON session (agent, status, updated_at);
CREATE INDEX session_by_status ON session (status, updated_at);
CREATE INDEX session_unfinished ON session (id) WHERE ${UNFINISHED};
`;

/** Apart from `session`, whose rows are rewritten with every commit. */
export const SNAPSHOT_TABLE = `
CREATE TABLE snapshot (
  session INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  json TEXT NOT NULL
);
`;

/**
 * The log. A span without events has `last = first - 1`, likewise for raw records.
 * No WITHOUT ROWID: rows above 1 kB would spill to overflow pages and cost half again as much.
 */
export const LOG_TABLES = `
CREATE TABLE tail (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  raw_first INTEGER NOT NULL,
  raw_last INTEGER NOT NULL,
  format INTEGER NOT NULL,
  events TEXT NOT NULL,
  raws TEXT NOT NULL
);
CREATE INDEX tail_by_session ON tail (session, last);
CREATE TABLE block (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  raw_first INTEGER NOT NULL,
  raw_last INTEGER NOT NULL,
  format INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE INDEX block_by_event ON block (session, last);
CREATE INDEX block_by_raw ON block (session, raw_last);
CREATE TABLE raw_blob (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  raw_seq INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE UNIQUE INDEX raw_blob_by_record ON raw_blob (session, raw_seq);
`;

export const MESSAGE_TABLE = `
CREATE TABLE message (
  row_id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  state TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  position INTEGER,
  turn TEXT,
  rewound_at INTEGER,
  fold_version INTEGER,
  request TEXT,
  response TEXT,
  codec INTEGER,
  record BLOB
);
CREATE UNIQUE INDEX message_by_id ON message (session, id);
CREATE INDEX message_history ON message (session, position) WHERE ${IN_HISTORY};
`;

export const ASK_TABLE = `
CREATE TABLE ask (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  ask TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  opened_seq INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  expires_at INTEGER,
  opened TEXT NOT NULL,
  answered TEXT,
  outcome TEXT
);
CREATE UNIQUE INDEX ask_by_id ON ask (session, ask);
CREATE INDEX ask_open ON ask (opened_at) WHERE state = 'open';
`;

/** Money is in whole nano-units: sums are exact. A token count nobody gave stays NULL. */
export const USAGE_TABLE = `
CREATE TABLE usage_day (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  day TEXT NOT NULL,
  input INTEGER,
  output INTEGER,
  reasoning INTEGER,
  cache_read INTEGER,
  cache_write INTEGER,
  cost_nano INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  duration_ms REAL NOT NULL,
  tools INTEGER NOT NULL,
  asks INTEGER NOT NULL
);
CREATE UNIQUE INDEX usage_day_by_session ON usage_day (session, day);
CREATE INDEX usage_day_by_day ON usage_day (day);
`;

/**
 * One row per text, not per session, so that a new prompt never indexes the former ones again. The row id is the
 * session's number in the upper half and the text's in the lower (0: id and title), since the text itself is not kept.
 */
export const SEARCH_TABLE = `
CREATE VIRTUAL TABLE search USING fts5(text, content = '', contentless_delete = 1, prefix = '2 3');
`;

export const SCHEMA = [
  SESSION_TABLES,
  SNAPSHOT_TABLE,
  LOG_TABLES,
  MESSAGE_TABLE,
  ASK_TABLE,
  USAGE_TABLE,
  SEARCH_TABLE,
].join("");
