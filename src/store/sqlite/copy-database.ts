/** Makes a consistent copy of a database in one new file, even while a daemon writes to it. */
import { backup, DatabaseSync } from "node:sqlite";
import { createPrivateFile } from "./data-directory.ts";

/** Called after every few megabytes. */
export type CopyProgress = (copied: number, total: number) => void;

/** The daemon reads and writes between two steps: in WAL mode nobody waits for a reader. */
const PAGES_PER_STEP = 1024;

/** A reader may have to wait while the daemon opens or closes the file. */
const TIMEOUT_MS = 5000;

/** `target` does not exist yet. The copy needs no file beside it. */
export async function copyDatabase(
  source: string,
  target: string,
  onProgress: CopyProgress = () => {},
): Promise<void> {
  createPrivateFile(target);
  const database = new DatabaseSync(source, { readOnly: true, timeout: TIMEOUT_MS });
  try {
    // A read transaction stays open, or every commit of the daemon would restart the copy.
    database.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    const { page_size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
    await backup(database, target, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onProgress((totalPages - remainingPages) * page_size, totalPages * page_size),
    });
    database.exec("COMMIT");
  } finally {
    database.close();
  }
  const copy = new DatabaseSync(target);
  try {
    // A database in WAL mode could not be read where nothing may be written.
    copy.exec("PRAGMA journal_mode = DELETE");
  } finally {
    copy.close();
  }
}

/** How large a copy will be. */
export function databaseBytes(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true, timeout: TIMEOUT_MS });
  try {
    const { page_count } = database.prepare("PRAGMA page_count").get() as { page_count: number };
    const { page_size } = database.prepare("PRAGMA page_size").get() as { page_size: number };
    return page_count * page_size;
  } finally {
    database.close();
  }
}
