/** Replaces a data directory's database by a backup. */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assertOwnFile } from "../files/private-file.ts";
import { assertRoom, type BackupOptions, type BackupResult, removeDatabase } from "./backup.ts";
import { DamagedDataError, isDamage } from "./damaged-data.ts";
import { checkCopy } from "./sqlite/check-file.ts";
import { copyDatabase, databaseBytes } from "./sqlite/copy-database.ts";
import { SIDE_FILES } from "./sqlite/create-database.ts";
import { DATABASE_FILE } from "./sqlite/data-directory.ts";
import { acquireDataDirectoryLock, type DataDirectoryLockOptions } from "./sqlite/data-directory-lock.ts";
import { syncPath } from "./sqlite/sync-path.ts";

/** `replace` allows existing sessions; the former database is kept beside the new one. */
export type RestoreOptions = BackupOptions &
  Pick<DataDirectoryLockOptions, "isOwnerRunning"> & {
    /** Called when the backup is known to be whole and nothing was replaced yet. If it rejects, nothing is. */
    beforeReplace?(): Promise<void>;
  };

export interface RestoreResult extends BackupResult {
  /** The former database's new path; absent if it held no sessions. */
  kept?: string;
}

/** Throws a sentence that says what to do. Nothing is changed then. */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { directory, file } = options;
  const path = join(directory, DATABASE_FILE);
  const restoring = `${path}.restoring`;
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Give a backup.`);
  if (isSameFile(restoring, file))
    throw new Error(`${file} is what a restore writes to. Give the file another name first.`);
  const owner = { pid: process.pid, startedAt: Date.now() };
  const lock = acquireDataDirectoryLock(directory, owner, options);
  try {
    assertOwnFile(path);
    assertReplaceable(path, options);
    const { sessions, events } = await copyAndCheck(restoring, options);
    syncPath(restoring);
    await options.beforeReplace?.();
    const kept = holdsSessions(path) ? keepFormer(path) : undefined;
    // SQLite would apply a leftover log to the new database.
    for (const suffix of SIDE_FILES) rmSync(`${path}${suffix}`, { force: true });
    renameSync(restoring, path);
    syncPath(directory);
    return { bytes: statSync(path).size, sessions, events, kept };
  } finally {
    removeDatabase(restoring);
    lock.release();
  }
}

/** Verified in its final directory: the copying could go wrong, too. */
async function copyAndCheck(target: string, { directory, file, onProgress, onCheck }: RestoreOptions) {
  try {
    removeDatabase(target);
    assertRoom(directory, databaseBytes(file));
    await copyDatabase(file, target, onProgress);
    onCheck?.();
    const report = await checkCopy(target, file);
    if (!report.ok) throw new DamagedDataError(report.problems[0]!.replace(/\.$/, ""));
    return report;
  } catch (error) {
    if (!isDamage(error)) throw error;
    const reason = (error as Error).message;
    throw new Error(`${file} is damaged, so nothing was changed: ${reason}. Give another backup.`, {
      cause: error,
    });
  }
}

function assertReplaceable(path: string, { file, replace }: RestoreOptions): void {
  if (isSameFile(path, file)) throw new Error(`${file} is the database itself. Give a backup.`);
  if (replace || !holdsSessions(path)) return;
  throw new Error(
    `${dirname(path)} holds sessions already. With --force they are kept beside what is restored; or give another directory with --data.`,
  );
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Also true if it cannot be read. */
function holdsSessions(path: string): boolean {
  // Not opened: SQLite removes the log of an empty database.
  if (!hasContent(path)) return hasContent(`${path}-wal`);
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return database.prepare("SELECT 1 FROM session LIMIT 1").get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return true;
  }
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Adds a second name first, so that there is always a database: a missing one would count as a new start. */
function keepFormer(path: string): string {
  if (hasContent(path)) foldLog(path);
  const kept = `${path}.before-restore-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of ["", "-wal"]) {
    // An empty database beside its log would make SQLite remove that.
    if (!hasContent(`${path}${suffix}`)) continue;
    try {
      linkSync(`${path}${suffix}`, `${kept}${suffix}`);
    } catch {
      // Not every file system has links.
      copyFileSync(`${path}${suffix}`, `${kept}${suffix}`);
    }
    syncPath(`${kept}${suffix}`);
  }
  syncPath(dirname(path));
  return hasContent(kept) ? kept : `${kept}-wal`;
}

/** Merges the log, if the former database can still be opened, so that it is one file. */
function foldLog(path: string): void {
  try {
    const database = new DatabaseSync(path);
    try {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
    } finally {
      database.close();
    }
  } catch {
    // Its log is kept beside it then.
  }
}
