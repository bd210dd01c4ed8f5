/** Opens the database file of a data directory; makes it or brings it up to date when it may write. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assertOwnFile, restrictToOwner } from "../../files/private-file.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { assertNotLost, createDatabase } from "./create-database.ts";
import { DATABASE_FILE, prepareDataDirectory } from "./data-directory.ts";
import { migrate } from "./migrate.ts";
import { assertReadable, readVersion, SCHEMA_VERSION } from "./version.ts";

export function openDatabase(directory: string, options: ConnectionOptions = {}): Connection {
  const path = join(directory, DATABASE_FILE);
  prepareDataDirectory(directory);
  assertOwnFile(path);
  assertNotLost(path);
  if (!existsSync(path)) createDatabase(path);
  restrictToOwner(path);
  return open(path, options, (connection) => {
    // FULL: a commit is on disk when it returns, even if the power fails.
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    // SQLite's log is checkpointed every 16 MB: rarely, because it delays a commit, and most of its pages are the same
    // few. After a burst its file shrinks to this many bytes.
    connection.exec("PRAGMA wal_autocheckpoint = 4096; PRAGMA journal_size_limit = 16777216");
    migrate(connection, path);
  });
}

/** For reading while the daemon runs, or when it does not. Changes nothing. */
export function openDatabaseReadOnly(directory: string, options: ConnectionOptions = {}): Connection {
  const path = join(directory, DATABASE_FILE);
  assertOwnFile(path);
  assertNotLost(path);
  if (!existsSync(path))
    throw new Error(`There is no data of Interlingua in ${directory}. Give the directory with --data.`);
  return open(path, { ...options, readOnly: true }, (connection) => {
    const version = readVersion(connection);
    if (version === SCHEMA_VERSION) return;
    throw new Error(
      `${path} has format ${version}, this version of Interlingua reads ${SCHEMA_VERSION}. Start the daemon once to bring it up to date.`,
    );
  });
}

function open(
  path: string,
  options: ConnectionOptions,
  prepare: (connection: Connection) => void,
): Connection {
  const connection = new Connection(path, options);
  try {
    assertReadable(connection, path);
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
