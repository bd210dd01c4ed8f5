/**
 * The tables as version 12 has them. This file no longer changes once that version is released: a change is a step in
 * migrate.ts, which new databases take too. The port says what the values mean (src/core/store.ts); here is how they are kept.
 *
 * `session` is the number of a session, `session.id`, except in tables of people and directories, where it is its key. Text is
 * compared byte by byte (`COLLATE "C"`), as in SQLite. Money is in nano-units.
 */

/** All tables lie in a schema of ours, beside whatever else the database has. */
export const SCHEMA_NAME = "interlingua";

/** Advisory locks of ours. */
export const LOCKS = {
  migration: "7701992, 1",
  /** Of the one daemon that writes, or shared by all nodes of a cluster. */
  writer: "7701992, 2",
  /** Shared by those who have drawn numbers of the audit log that they have not committed. */
  audit: "7701992, 3",
  /** While it is found out whether the database is a copy. */
  identity: "7701992, 4",
} as const;

/** Follows the rule of `isUnfinished`. */
export const UNFINISHED =
  "status IN ('running', 'waiting', 'recovering') OR queued > 0 OR open_asks > 0 OR attached";

/** The daemon that has a session of `log_head h`, or had it last. NULL where none of a cluster did. */
export const LAST_DAEMON = "(SELECT daemon FROM node WHERE id = COALESCE(h.owner, h.last_owner))";

/** What `home` says, or would: until the first release or claim it is known by the owner alone. */
export const KEPT_HOME = `COALESCE(h.home, ${LAST_DAEMON})`;

/** Messages that are part of the history. */
export const IN_HISTORY = "position IS NOT NULL AND rewound_at IS NULL AND state IN ('streaming', 'done')";

/**
 * One row for each incarnation of a node of a cluster; `beat` rises while it lives. `daemon` says which daemon it is an
 * incarnation of, `has_left` that a dead one went by itself, `clock_ms` how far its clock is ahead of the database's, and
 * `problem` why it is not ready.
 */
const NODE_TABLE = `
CREATE TABLE node (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text,
  url text,
  beat bigint NOT NULL DEFAULT 0,
  dead boolean NOT NULL DEFAULT false,
  draining boolean NOT NULL DEFAULT false,
  reads_format int,
  labels jsonb,
  agents int,
  agents_max int,
  daemon text,
  has_left boolean NOT NULL DEFAULT false,
  clock_ms bigint,
  problem text
);
CREATE INDEX node_by_daemon ON node (daemon);
`;

/** What lists show. `preparing` is the prompt that a daemon prepares. */
const SESSION_TABLE = `
CREATE SEQUENCE session_number;
CREATE TABLE session (
  id bigint PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  agent text COLLATE "C" NOT NULL,
  cwd text COLLATE "C" NOT NULL,
  title text,
  status text COLLATE "C" NOT NULL,
  model text,
  mode text,
  permission_mode text,
  agent_session_id text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  open_asks bigint NOT NULL,
  queued bigint NOT NULL,
  attached boolean NOT NULL,
  metadata text,
  request text NOT NULL,
  forked_from text,
  pinned boolean,
  archived boolean,
  cost_nano double precision,
  cut_off_at bigint,
  preparing text
) WITH (fillfactor = 80);
CREATE INDEX session_by_update ON session (updated_at, id);
CREATE INDEX session_by_agent ON session (agent, updated_at, id);
CREATE INDEX session_by_status ON session (status, updated_at, id);
CREATE INDEX session_by_directory ON session (cwd, updated_at, id);
CREATE INDEX session_pinned ON session (updated_at, id) WHERE pinned;
CREATE INDEX session_archived ON session (updated_at, id) WHERE archived;
CREATE INDEX session_unfinished ON session (id) WHERE ${UNFINISHED};
`;

/**
 * Where a log ends and who may write it, apart from `session`: this row changes with every commit, stays narrow, and no
 * column that does so has an index. `last_owner` is the node that had it before, if it was not free. `packed` and `raw_packed`
 * are the last event and raw record that lie in blocks. `home` is the daemon that created the session, or empty where none did
 * and only nodes without its files have had it since; `settled` is where its log ended when another node had done what can be
 * done without its files.
 */
const LOG_TABLES = `
CREATE TABLE log_head (
  session bigint PRIMARY KEY,
  owner bigint,
  last_owner bigint,
  epoch int NOT NULL DEFAULT 0,
  head bigint NOT NULL DEFAULT 0,
  raw_head bigint NOT NULL DEFAULT 0,
  packed bigint NOT NULL DEFAULT 0,
  raw_packed bigint NOT NULL DEFAULT 0,
  tail_events bigint NOT NULL DEFAULT 0,
  tail_bytes bigint NOT NULL DEFAULT 0,
  format smallint NOT NULL,
  home text,
  settled bigint
) WITH (fillfactor = 50);
CREATE INDEX log_head_by_owner ON log_head (owner) WHERE owner IS NOT NULL;
CREATE TABLE tail (
  session bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  raw_first bigint NOT NULL,
  raw_last bigint NOT NULL,
  epoch int NOT NULL,
  format smallint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (session, last, raw_last)
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_cost_delay = 0);
ALTER TABLE tail ALTER data SET STORAGE EXTERNAL;
CREATE TABLE block (
  id bigint GENERATED ALWAYS AS IDENTITY,
  session bigint NOT NULL,
  first bigint NOT NULL,
  last bigint NOT NULL,
  raw_first bigint NOT NULL,
  raw_last bigint NOT NULL,
  format smallint NOT NULL,
  codec smallint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (session, last, raw_last)
);
CREATE INDEX block_by_raw ON block (session, raw_last);
ALTER TABLE block ALTER data SET STORAGE EXTERNAL;
CREATE TABLE raw_blob (
  session bigint NOT NULL,
  raw_seq bigint NOT NULL,
  codec smallint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (session, raw_seq)
);
ALTER TABLE raw_blob ALTER data SET STORAGE EXTERNAL;
CREATE TABLE snapshot (
  session bigint PRIMARY KEY,
  seq bigint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL
);
`;

/** `message.number` and `ask.id` count in the order in which the store first saw them. */
const PROJECTION_TABLES = `
CREATE TABLE message (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  state text NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  position bigint,
  turn text,
  rewound_at bigint,
  fold_version int,
  request text,
  response text,
  codec smallint,
  checksum bigint,
  record bytea,
  UNIQUE (session, id)
) WITH (fillfactor = 80);
ALTER TABLE message ALTER record SET STORAGE EXTERNAL;
CREATE INDEX message_history ON message (session, position) WHERE ${IN_HISTORY};
CREATE TABLE message_text (
  message bigint PRIMARY KEY,
  session bigint NOT NULL,
  at bigint NOT NULL,
  text text NOT NULL,
  words tsvector NOT NULL
);
CREATE INDEX message_text_by_session ON message_text (session);
CREATE INDEX message_text_words ON message_text USING gin (words);
CREATE TABLE ask (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session bigint NOT NULL,
  ask text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  opened_seq bigint NOT NULL,
  opened_at bigint NOT NULL,
  expires_at bigint,
  opened text NOT NULL,
  answered text,
  outcome text,
  UNIQUE (session, ask)
);
CREATE INDEX ask_open ON ask (opened_at, id) WHERE state = 'open';
CREATE TABLE usage_day (
  session bigint NOT NULL,
  day text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  input double precision,
  output double precision,
  reasoning double precision,
  cache_read double precision,
  cache_write double precision,
  cost_nano double precision NOT NULL,
  turns double precision NOT NULL,
  duration_ms double precision NOT NULL,
  tools double precision NOT NULL,
  asks double precision NOT NULL,
  allowed double precision NOT NULL,
  denied double precision NOT NULL,
  waited_ms double precision NOT NULL DEFAULT 0,
  PRIMARY KEY (session, day, model)
);
CREATE TABLE client_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session bigint NOT NULL,
  dialect text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  seq bigint NOT NULL
);
CREATE INDEX client_key_by_key ON client_key (dialect, key, id);
CREATE INDEX client_key_by_session ON client_key (session);
CREATE TABLE search (
  session bigint NOT NULL,
  n bigint GENERATED BY DEFAULT AS IDENTITY,
  words tsvector NOT NULL,
  PRIMARY KEY (session, n)
);
CREATE INDEX search_words ON search USING gin (words);
`;

/** What agents keep of their conversations, in pieces. */
const MEMORY_TABLE = `
CREATE TABLE memory (
  session bigint NOT NULL,
  part text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  codec smallint NOT NULL,
  checksum bigint NOT NULL,
  data bytea NOT NULL,
  PRIMARY KEY (session, part, seq)
);
ALTER TABLE memory ALTER data SET STORAGE EXTERNAL;
`;

/** The state of the store itself. */
const STATE_TABLES = `
CREATE TABLE counter (name text PRIMARY KEY, value bigint NOT NULL);
CREATE TABLE mark (name text PRIMARY KEY, value text NOT NULL);
`;

/**
 * A name that reads like another is found by `folded`. The counter rises with every token that comes or goes, whoever changes
 * the table, so that other nodes notice. It is changed last, so that no two wait for each other.
 */
const TOKEN_TABLES = `
CREATE TABLE token (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash text NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  sessions text,
  agents text,
  created_at bigint NOT NULL,
  created_by text NOT NULL,
  expires_at bigint,
  invitation text COLLATE "C",
  last_used_at bigint,
  folded text COLLATE "C"
);
CREATE UNIQUE INDEX token_by_name ON token (folded);
INSERT INTO counter VALUES ('tokens', 1);
CREATE FUNCTION note_tokens() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE ${SCHEMA_NAME}.counter SET value = value + 1 WHERE name = 'tokens';
  RETURN NULL;
END $$;
CREATE TRIGGER token_noted AFTER INSERT OR DELETE ON token FOR EACH ROW EXECUTE FUNCTION note_tokens();
CREATE TABLE invitation (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  hash text NOT NULL,
  session text COLLATE "C" NOT NULL,
  role text NOT NULL,
  name text,
  created_at bigint NOT NULL,
  created_by text NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint,
  token text COLLATE "C"
);
CREATE INDEX invitation_by_session ON invitation (session);
`;

/** What the counter of the audit log begins at, so that it gives negative numbers. */
export const AUDIT_COUNTER = -Number.MAX_SAFE_INTEGER;

/** Programs of a version below 12 take the numbers of the audit log from the counter. The trigger replaces those numbers. */
export const NUMBER_AUDIT = `
CREATE FUNCTION number_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(${LOCKS.audit});
  NEW.seq := nextval('${SCHEMA_NAME}.audit_number');
  RETURN NEW;
END $$;
CREATE TRIGGER audit_numbered BEFORE INSERT ON audit FOR EACH ROW WHEN (NEW.seq < 0) EXECUTE FUNCTION number_audit();
`;

/** Who did what, numbered by a sequence. */
const AUDIT_TABLE = `
CREATE SEQUENCE audit_number;
CREATE TABLE audit (
  seq bigint PRIMARY KEY DEFAULT nextval('${SCHEMA_NAME}.audit_number'),
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  token text,
  role text,
  dialect text NOT NULL,
  action text NOT NULL,
  session text COLLATE "C",
  outcome text NOT NULL,
  code text,
  detail text
);
ALTER SEQUENCE audit_number OWNED BY audit.seq;
CREATE INDEX audit_by_session ON audit (session, seq);
INSERT INTO counter VALUES ('audit', ${AUDIT_COUNTER});
${NUMBER_AUDIT}`;

/**
 * What nodes know of each other's files. A `directory_use` says that a node is about to begin a turn, or restores files, in a
 * directory that nodes share; a `directory_lock` is held by one of them.
 */
const DIRECTORY_TABLES = `
CREATE TABLE directory_use (
  session text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  directory text COLLATE "C" NOT NULL,
  node bigint NOT NULL,
  PRIMARY KEY (session, kind)
);
CREATE TABLE directory_lock (
  name text COLLATE "C" PRIMARY KEY,
  node bigint,
  epoch bigint NOT NULL DEFAULT 1,
  is_wanted boolean NOT NULL DEFAULT false,
  is_abandoned boolean NOT NULL DEFAULT false
);
`;

export const TABLES = [
  NODE_TABLE,
  SESSION_TABLE,
  LOG_TABLES,
  PROJECTION_TABLES,
  MEMORY_TABLE,
  STATE_TABLES,
  TOKEN_TABLES,
  AUDIT_TABLE,
  DIRECTORY_TABLES,
].join("");
