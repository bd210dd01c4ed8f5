/** The one place where a store is chosen. */
import type { Store } from "../core/store.ts";
import { MemoryStore } from "./memory/memory-store.ts";
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
 * Opens the store of a data directory, or one in memory. The caller holds the directory's lock
 * (`acquireDataDirectoryLock`) and closes the store.
 *
 * @example const store = await openStore({ directory: "/home/me/.local/share/interlingua" });
 */
export async function openStore(target: ":memory:" | OpenStoreOptions): Promise<Store> {
  if (target === ":memory:") return new MemoryStore();
  return new SqliteStore(openDatabase(target.directory, { onRows: target.onRows }), target);
}

/** Opens a data directory for reading, also while a daemon writes to it. */
export async function openStoreReadOnly(directory: string): Promise<ReadableStore> {
  return new SqliteReader(openDatabaseReadOnly(directory));
}
