/**
 * Creates a new database under another name and renames it when it is complete. So we never leave a file that is empty,
 * or missing beside a SQLite log (`-wal`): such a file held sessions, and must not count as a new start.
 */
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Connection } from "./connection.ts";
import { createPrivateFile } from "./data-directory.ts";
import { createTables } from "./migrate.ts";
import { syncPath } from "./sync-path.ts";

/** What SQLite keeps beside a database file. */
export const SIDE_FILES = ["-wal", "-shm", "-journal"];

export function createDatabase(path: string): void {
  const unfinished = `${path}.new`;
  for (const suffix of ["", ...SIDE_FILES]) rmSync(`${unfinished}${suffix}`, { force: true });
  createPrivateFile(unfinished);
  const connection = new Connection(unfinished);
  try {
    createTables(connection);
  } finally {
    connection.close();
  }
  syncPath(unfinished);
  renameSync(unfinished, path);
  syncPath(dirname(path));
}

/** Throws if the file or its content was lost. */
export function assertNotLost(path: string): void {
  const isMissing = !existsSync(path);
  if (!isMissing && !isEmpty(path)) return;
  const wal = `${path}-wal`;
  const hasWal = existsSync(wal) && !isEmpty(wal);
  if (isMissing && !hasWal) return;
  const state = isMissing ? "is missing" : "is empty";
  const beside = hasWal ? `, and ${wal} beside it still holds part of what was in it` : "";
  const keep = hasWal ? " Keep a copy of both files until then." : "";
  const anew = [isMissing ? undefined : path, hasWal ? wal : undefined].filter((file) => file !== undefined);
  throw new Error(
    `${path} ${state}${beside}. Put the file back, or restore a backup with: interlingua backup restore FILE.${keep} To begin with no sessions, move ${anew.join(" and ")} away.`,
  );
}

function isEmpty(path: string): boolean {
  return statSync(path).size === 0;
}
