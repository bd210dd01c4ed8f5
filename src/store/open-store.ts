/** The one place where a store is chosen. */
import type { Store } from "../core/store.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import type { OpenPostgresOptions } from "./postgres/open-postgres.ts";
import type { ReadableStore } from "./readable-store.ts";
import type { RowObserver } from "./sqlite/connection.ts";
import { openDatabase, openDatabaseReadOnly } from "./sqlite/open-database.ts";
import { SqliteReader } from "./sqlite/sqlite-reader.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite/sqlite-store.ts";

export interface OpenStoreOptions extends SqliteStoreOptions {
  /** The directory of the database, created if missing. */
  directory: string;
  /** Called with the number of rows of each query, for tests. */
  onRows?: RowObserver;
}

/**
 * Opens the store of a data directory, one on PostgreSQL, or one in memory. The caller holds the directory's lock
 * (`acquireDataDirectoryLock`) and closes the store. That of a database is held by the store.
 *
 * @example const store = await openStore({ directory: "/home/me/.local/share/interlingua" });
 */
export async function openStore(target: ":memory:" | OpenStoreOptions | OpenPostgresOptions): Promise<Store> {
  if (target === ":memory:") return new MemoryStore();
  if ("url" in target) {
    const { openPostgres } = await import("./postgres/open-postgres.ts");
    return openPostgres(target);
  }
  return new SqliteStore(openDatabase(target.directory, { onRows: target.onRows }), target);
}

/** Opens a data directory, or a database by its address, for reading, also while a daemon writes to it. */
export async function openStoreReadOnly(directory: string | { url: string }): Promise<ReadableStore> {
  if (typeof directory !== "string") {
    const { openPostgresReadOnly } = await import("./postgres/open-postgres.ts");
    return openPostgresReadOnly(directory);
  }
  return new SqliteReader(openDatabaseReadOnly(directory));
}
