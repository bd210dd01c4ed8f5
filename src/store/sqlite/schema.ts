/**
 * The tables as format 15 has them. This file no longer changes once that format is released: a change is a step in steps.ts,
 * which new databases take too, so that they never differ from migrated ones. The port says what the values mean
 * (src/core/store.ts); here is how they are kept.
 *
 * Three rules hold for all tables:
 * - `session` is the number of a session, `session.id`, except in tokens, invitations and the audit log.
 * - A checksum covers the rest of its row (format/checksum.ts). It is NULL only in blocks and raw records of early databases.
 * - `codec` says how `data` is packed (codec.ts), `format` which EVENT_FORMAT events were written in.
 */
/** Follows the rule of `isUnfinished`. */
export const UNFINISHED =
  "status IN ('running', 'waiting', 'recovering') OR queued > 0 OR open_asks > 0 OR attached";

/** Messages that are part of the history. */
export const IN_HISTORY = "position IS NOT NULL AND rewound_at IS NULL AND state IN ('streaming', 'done')";

/**
 * One row for each session: what lists show, and how far its log goes. `tail_events` and `tail_bytes` count what is not packed
 * yet, `search_texts` the rows of `search`. `log_checksum` covers the columns that change with every commit, `row_checksum` the
 * others. `preparing` is the prompt that a daemon prepares. Flags are 1 or NULL.
 *
 * `session.id` and `block.id` are AUTOINCREMENT so that no number is ever used again: packing in the background and the cache
 * of unpacked blocks hold on to them while a session may be deleted. `session_by_cwd` leaves out the time of the last change,
 * which every commit would have to write into one more index; the sessions of one directory are few enough to be sorted.
 */
const SESSION_TABLE = `
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
  request TEXT NOT NULL,
  row_checksum INTEGER,
  log_checksum INTEGER,
  forked_from TEXT,
  pinned INTEGER,
  archived INTEGER,
  cost_nano INTEGER,
  cut_off_at INTEGER,
  preparing TEXT
);
CREATE INDEX session_by_update ON session (updated_at);
CREATE INDEX session_by_agent ON session (agent, updated_at);
CREATE INDEX session_by_agent_and_status ON session (agent, status, updated_at);
CREATE INDEX session_by_status ON session (status, updated_at);
CREATE INDEX session_by_cwd ON session (cwd);
CREATE INDEX session_pinned ON session (updated_at) WHERE pinned IS NOT NULL;
CREATE INDEX session_archived ON session (updated_at) WHERE archived IS NOT NULL;
CREATE INDEX session_unfinished ON session (id) WHERE ${UNFINISHED};
`;

/** The runtime state as of an event. Apart from `session`, whose rows are rewritten with every commit. */
const SNAPSHOT_TABLE = `
CREATE TABLE snapshot (
  session INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  json TEXT NOT NULL,
  checksum INTEGER
);
`;

/**
 * The log. A commit adds a row to `tail`; later the tail is packed into a `block`. A span without events has
 * `last = first - 1`, likewise for raw records. A raw record that is too large for a block lies in `raw_blob`.
 * No WITHOUT ROWID: rows above 1 kB would spill to overflow pages and cost half again as much.
 */
const LOG_TABLES = `
CREATE TABLE tail (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  raw_first INTEGER NOT NULL,
  raw_last INTEGER NOT NULL,
  format INTEGER NOT NULL,
  events TEXT NOT NULL,
  raws TEXT NOT NULL,
  events_checksum INTEGER,
  raws_checksum INTEGER
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
  data BLOB NOT NULL,
  checksum INTEGER
);
CREATE INDEX block_by_event ON block (session, last);
CREATE INDEX block_by_raw ON block (session, raw_last);
CREATE TABLE raw_blob (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  raw_seq INTEGER NOT NULL,
  codec INTEGER NOT NULL,
  data BLOB NOT NULL,
  checksum INTEGER
);
CREATE UNIQUE INDEX raw_blob_by_record ON raw_blob (session, raw_seq);
`;

/** `record` is the message as folded, with a checksum of its own, so that lists can leave it out. */
const MESSAGE_TABLE = `
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
  record BLOB,
  checksum INTEGER,
  record_checksum INTEGER
);
CREATE UNIQUE INDEX message_by_id ON message (session, id);
CREATE INDEX message_history ON message (session, position) WHERE ${IN_HISTORY};
`;

const ASK_TABLE = `
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
  outcome TEXT,
  checksum INTEGER
);
CREATE UNIQUE INDEX ask_by_id ON ask (session, ask);
CREATE INDEX ask_open ON ask (opened_at) WHERE state = 'open';
`;

/**
 * Totals of a session, a day (UTC) and a model, which is empty where it is not known. Money is in whole nano-units: sums are
 * exact. A token count nobody gave stays NULL.
 */
const USAGE_TABLE = `
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
  asks INTEGER NOT NULL,
  checksum INTEGER,
  model TEXT NOT NULL DEFAULT '',
  allowed INTEGER NOT NULL DEFAULT 0,
  denied INTEGER NOT NULL DEFAULT 0,
  waited_ms REAL NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX usage_day_by_session ON usage_day (session, day, model);
CREATE INDEX usage_day_by_day ON usage_day (day);
`;

/** The keys by which client protocols find a session, and the event in it. */
const CLIENT_KEY_TABLE = `
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
`;

/** What agents keep of their conversations, in pieces. A daemon that runs alone writes none. */
const MEMORY_TABLE = `
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

/**
 * The words of sessions. One row per text, not per session, so that a new prompt never indexes the former ones again. The row
 * id is the session's number in the upper half and the text's in the lower (0: id and title), since the text itself is not kept.
 */
const SEARCH_TABLE = `
CREATE VIRTUAL TABLE search USING fts5(text, content = '', contentless_delete = 1, prefix = '2 3');
`;

/**
 * What messages say, and the index of their words. All row ids here are those of `message`. The words are cut before, so
 * the tokenizer has only spaces to find, and where in a text a word stands is not kept.
 *
 * `text_to_index` notes the texts whose words are not in the index yet. `text_backlog` has a row while texts are missing that
 * an older program did not write: those of messages before that number (text-backlog.ts).
 */
const TEXT_TABLES = `
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
CREATE TABLE text_to_index (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL
);
CREATE TABLE text_backlog (
  id INTEGER PRIMARY KEY,
  before INTEGER NOT NULL
);
`;

/**
 * Tokens besides that of the daemon, invitations, and who did what. `session` and `sessions` are keys of sessions.
 * `audit.seq` is AUTOINCREMENT so that a cursor never means another entry.
 */
const PEOPLE_TABLES = `
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
  checksum INTEGER,
  last_used_at INTEGER
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
`;

export const SCHEMA = [
  SESSION_TABLE,
  SNAPSHOT_TABLE,
  LOG_TABLES,
  MESSAGE_TABLE,
  ASK_TABLE,
  USAGE_TABLE,
  CLIENT_KEY_TABLE,
  MEMORY_TABLE,
  SEARCH_TABLE,
  TEXT_TABLES,
  PEOPLE_TABLES,
].join("");
