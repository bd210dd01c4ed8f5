/**
 * One installation of an agent at a time, whichever process does it. The lock is an open SQLite transaction: the
 * operating system drops it with the process, however that ends.
 */
import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

const RETRY_MS = 200;
const SQLITE_BUSY = 5;

export interface InstallationLock {
  release(): void;
}

/** Waits for its turn. Rejects with the signal's reason. */
export async function takeInstallationLock(file: string, signal: AbortSignal): Promise<InstallationLock> {
  for (;;) {
    signal.throwIfAborted();
    const database = tryLock(file);
    if (database) return { release: () => database.close() };
    await sleep(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** The open transaction that is the lock; undefined when somebody else has it. */
function tryLock(file: string): DatabaseSync | undefined {
  makePrivate(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/**
 * Like all that is in the data directory; SQLite would make it readable for others. A file that is there is not opened
 * for it: closing it again would drop the locks this process has on it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(file, 0o600);
  }
}
