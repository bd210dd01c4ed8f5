/** Opens the database file of a data directory, made or migrated as needed. */
import { join } from "node:path";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { createPrivateFile, prepareDataDirectory } from "./data-directory.ts";
import { migrate, requireCurrentSchema } from "./migrations.ts";

export const DATABASE_FILE = "interlingua.db";

export function openDatabase(directory: string, options: ConnectionOptions = {}): Connection {
  const path = join(directory, DATABASE_FILE);
  if (!options.readOnly) {
    prepareDataDirectory(directory, DATABASE_FILE);
    createPrivateFile(path);
  }
  const connection = new Connection(path, options);
  try {
    if (options.readOnly) {
      requireCurrentSchema(connection, path);
    } else {
      // FULL: a commit is on the disk when it returns, also when the power goes.
      connection.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864",
      );
      migrate(connection, path);
    }
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
