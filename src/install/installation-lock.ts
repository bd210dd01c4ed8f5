/**
 * One installation of an agent at a time, whichever process does it. The lock is an open SQLite transaction: the
 * operating system drops it with the process, however that ends.
 */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createPrivateFile } from "../files/private-file.ts";

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
  // SQLite would make it readable for others.
  createPrivateFile(file);
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
