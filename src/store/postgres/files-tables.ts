/**
 * What nodes know of each other's files. `log_head.home` is the daemon that created the session, or empty where none did and
 * only nodes without its files have had it since; and `settled` where its log ended when another node had done what can be
 * done without its files. A `directory_use` says that a node is about to
 * begin a turn, or restores files, in a directory that nodes share; a `directory_lock` is held by one of them.
 */
export const FILES_TABLES = `
ALTER TABLE log_head ADD COLUMN home text, ADD COLUMN settled bigint;
CREATE INDEX node_by_daemon ON node (daemon);
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
