/** A backup: one file with a consistent copy of a database, read once to verify it. */
import { readdirSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { assertOwnFile } from "../files/private-file.ts";
import { checkCopy } from "./sqlite/check-file.ts";
import { type CopyProgress, copyDatabase, databaseBytes } from "./sqlite/copy-database.ts";
import { assertNotLost, SIDE_FILES } from "./sqlite/create-database.ts";
import { DATABASE_FILE } from "./sqlite/data-directory.ts";
import { isAlive } from "./sqlite/data-directory-lock.ts";
import { syncPath } from "./sqlite/sync-path.ts";

export interface BackupOptions {
  /** The data directory. A daemon may run on it. */
  directory: string;
  file: string;
  /** Whether `file` may exist. It is replaced atomically, and only by a verified copy. */
  replace: boolean;
  onProgress?: CopyProgress;
  /** Called when everything is copied and the verification begins. */
  onCheck?(): void;
}

export interface BackupResult {
  bytes: number;
  sessions: number;
  events: number;
}

/** Throws a sentence that says what to do. `file` is unchanged then. */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { directory, file } = options;
  const source = join(directory, DATABASE_FILE);
  assertNotLost(source);
  if (!assertOwnFile(source))
    throw new Error(`There is no data of Interlingua in ${directory}. Give the directory with --data.`);
  assertTarget(source, options);
  removeLeftovers(file);
  assertRoom(dirname(file), databaseBytes(source));
  const partial = `${file}.partial-${process.pid}`;
  try {
    await copyDatabase(source, partial, options.onProgress);
    options.onCheck?.();
    const { ok, sessions, events, problems } = await checkCopy(partial, source);
    syncPath(partial);
    if (!ok) throw keepDamaged(partial, file, problems);
    const { size } = statSync(partial);
    renameSync(partial, file);
    syncPath(dirname(file));
    return { bytes: size, sessions, events };
  } finally {
    removeDatabase(partial);
  }
}

/** Throws if the file system has less space left than this. */
export function assertRoom(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bavail * bsize < bytes)
    throw new Error(
      `${directory} has ${bavail * bsize} bytes left, and ${bytes} are needed. Make room, or choose another place.`,
    );
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", ...SIDE_FILES]) rmSync(`${path}${suffix}`, { force: true });
}

function assertTarget(source: string, { file, replace }: BackupOptions): void {
  const folder = statSync(dirname(file), { throwIfNoEntry: false });
  if (!folder?.isDirectory())
    throw new Error(`${dirname(file)} is not a directory. Make it first, or choose another place.`);
  const inData = statSync(dirname(source)).ino === folder.ino && statSync(dirname(source)).dev === folder.dev;
  if (inData && basename(file).toLowerCase().startsWith(DATABASE_FILE))
    throw new Error(`${file} is where the daemon keeps its own files. Choose another name.`);
  const there = statSync(file, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isFile()) throw new Error(`${file} is not a file. Choose another name.`);
  if (!replace) throw new Error(`${file} exists. Give another name, or replace it with --force.`);
}

/** A damaged copy does not replace an earlier backup, but is kept beside it. */
function keepDamaged(partial: string, file: string, problems: readonly string[]): Error {
  const kept = `${file}.damaged`;
  renameSync(partial, kept);
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
  return new Error(
    `The database is damaged, so ${file} was not written: ${problems[0]}${more} The copy is ${kept}. interlingua db check lists all problems.`,
  );
}

/** Leftovers of killed backups to the same file. */
export function removeLeftovers(file: string): void {
  const prefix = `${basename(file)}.partial-`;
  for (const name of readdirSync(dirname(file))) {
    const pid = name.startsWith(prefix) ? /^\d+/.exec(name.slice(prefix.length)) : null;
    if (pid && !isAlive(Number(pid[0]))) rmSync(join(dirname(file), name), { recursive: true, force: true });
  }
}
