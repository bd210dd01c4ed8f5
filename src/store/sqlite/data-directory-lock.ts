/**
 * One daemon per data directory. The lock is an open SQLite transaction on `lock.db`: the operating system holds it
 * for the process and drops it when the process ends, however it ends. What the holder says about itself is in
 * `daemon.json`; that file alone proves nothing, since it outlives a kill. It matters where `lock.db` was removed under
 * a daemon that lives: whoever comes next gets the lock, and learns from `daemon.json` that it must not use it.
 */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readRegularFileSync } from "../../files/regular-file.ts";
import { createPrivateFile, prepareDataDirectory } from "./data-directory.ts";

export interface DaemonInfo {
  pid: number;
  /** Tells its process from a later one with the same pid. */
  processStart?: string;
  /** Tells its data directory from a copy of it, which brings this file along. */
  daemonId?: string;
  /** Unknown until the daemon listens. */
  url?: string;
  /** Where a client of the same user finds the token. */
  tokenFile?: string;
  /** Whether further directories can be opened for single sessions. */
  canAddRoots?: boolean;
  /** Where its sessions may work. */
  roots?: readonly string[];
  /** Where it looks for programs. */
  searchPath?: string;
  /** Names of the agents' own variables that it has; never their values. */
  variables?: readonly string[];
  /** A node of a cluster: how long it lets its turns go on when it is told to go, at most. */
  drainMs?: number;
  /** It was told to go, and finishes what it does: another signal would end it at once. */
  isLeaving?: boolean;
  /** Milliseconds since the epoch. */
  startedAt?: number;
  version?: string;
}

export interface DataDirectoryLock {
  /** Adds to what the holder says about itself. */
  update(info: Partial<DaemonInfo>): void;
  /** Idempotent. */
  release(): void;
}

export interface DataDirectoryLockOptions {
  /** Whether the daemon that `daemon.json` names is alive and uses this very directory. Never, when absent. */
  isOwnerRunning?(info: DaemonInfo): boolean;
  /** Called with a sentence if somebody removed the lock's file, and what was done about it. */
  onDisturbed?(message: string): void;
}

export class DataDirectoryLockedError extends Error {
  /** Undefined if the holder is unknown. */
  readonly holder: DaemonInfo | undefined;

  constructor(
    directory: string,
    holder: DaemonInfo | undefined,
    remedy = "End it with interlingua stop, or give another directory with --data.",
  ) {
    super(`${describeHolder(holder)} already uses the data directory ${directory}. ${remedy}`);
    this.name = "DataDirectoryLockedError";
    this.holder = holder;
  }
}

const LOCK_FILE = "lock.db";
const INFO_FILE = "daemon.json";

/** `readDaemonInfo` blocks the lock for a moment; a daemon that starts just then must not give up. */
const GRACE_MS = 100;

/** How soon a daemon notices that its lock was removed. */
const WATCH_MS = 2000;

const SQLITE_BUSY = 5;

/**
 * Takes the lock or throws a `DataDirectoryLockedError` that names the holder. It does not wait for a daemon to end.
 * While it is held it is looked after: a `lock.db` that was removed is made again.
 *
 * @example
 * const lock = acquireDataDirectoryLock(directory, { pid: process.pid, startedAt: Date.now(), version });
 * lock.update({ url: "http://127.0.0.1:4100" });
 */
export function acquireDataDirectoryLock(
  directory: string,
  owner: DaemonInfo,
  options: DataDirectoryLockOptions = {},
): DataDirectoryLock {
  prepareDataDirectory(directory);
  const found = readInfo(directory);
  let held = take(directory, found && isAlive(found.pid) ? 0 : GRACE_MS);
  if (!held) throw new DataDirectoryLockedError(directory, readInfo(directory));
  if (found && options.isOwnerRunning?.(found)) {
    held.database.close();
    throw new DataDirectoryLockedError(directory, found);
  }
  let info = owner;
  writeInfo(directory, info);

  const lookAfter = () => {
    if (!held || isUndisturbed(directory, held)) return;
    if (inodeOf(directory) !== held.directoryInode) {
      clearInterval(watch);
      return options.onDisturbed?.(
        `${directory} was moved or removed. Stop this daemon before anything else.`,
      );
    }
    if (inodeOf(join(directory, LOCK_FILE)) !== held.inode) {
      const again = take(directory, GRACE_MS);
      if (!again) {
        // Two writers would give the same `seq` twice. The other one has the lock, so this one ends.
        held = undefined;
        throw new DataDirectoryLockedError(directory, readInfo(directory));
      }
      held.database.close();
      held = again;
    }
    writeInfo(directory, info);
    options.onDisturbed?.(`The lock of ${directory} was removed while this daemon runs; it was made again.`);
  };
  const watch = setInterval(() => {
    try {
      lookAfter();
    } catch (error) {
      if (error instanceof DataDirectoryLockedError) throw error;
      // The disk is full, say. The next check tries again.
      options.onDisturbed?.(`The lock of ${directory} cannot be looked after: ${(error as Error).message}`);
    }
  }, WATCH_MS);
  watch.unref();

  const release = () => {
    clearInterval(watch);
    process.off("exit", release);
    if (!held) return;
    rmSync(join(directory, INFO_FILE), { force: true });
    held.database.close();
    held = undefined;
  };
  // Also keeps a reference to the transaction: a garbage-collected database is closed, and the lock is gone.
  process.on("exit", release);
  return {
    update(more) {
      if (!held) return;
      info = { ...info, ...more };
      writeInfo(directory, info);
    },
    release,
  };
}

/** What the running daemon says about itself; undefined when none runs, whatever the file says. */
export function readDaemonInfo(directory: string): DaemonInfo | undefined {
  const info = readInfo(directory);
  return info && isLocked(directory) ? info : undefined;
}

interface HeldLock {
  /** Its open transaction is the lock. */
  readonly database: DatabaseSync;
  /** The locked file, which may no longer have that name. */
  readonly inode: bigint | undefined;
  readonly directoryInode: bigint | undefined;
}

/** Undefined when somebody else has it. */
function take(directory: string, waitMs: number): HeldLock | undefined {
  const path = join(directory, LOCK_FILE);
  createPrivateFile(path);
  const database = new DatabaseSync(path, { timeout: waitMs });
  if (succeeds(() => database.exec("BEGIN EXCLUSIVE")))
    return { database, inode: inodeOf(path), directoryInode: inodeOf(directory) };
  database.close();
  return undefined;
}

function isUndisturbed(directory: string, { inode }: HeldLock): boolean {
  return inodeOf(join(directory, LOCK_FILE)) === inode && existsSync(join(directory, INFO_FILE));
}

/** Undefined where there is nothing. */
function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Uses a shared lock, so that concurrent readers do not mistake each other for a daemon. */
function isLocked(directory: string): boolean {
  if (!existsSync(join(directory, LOCK_FILE))) return false;
  const database = new DatabaseSync(join(directory, LOCK_FILE), { readOnly: true });
  try {
    return !succeeds(() => database.exec("SELECT 1 FROM sqlite_schema"));
  } finally {
    database.close();
  }
}

/** False when another connection has the lock. */
function succeeds(action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return false;
    throw error;
  }
}

function readInfo(directory: string): DaemonInfo | undefined {
  try {
    const info = JSON.parse(readRegularFileSync(join(directory, INFO_FILE)).toString()) as DaemonInfo;
    return Number.isInteger(info.pid) ? info : undefined;
  } catch {
    // Missing, or half written by an editor: no holder is known.
    return undefined;
  }
}

/** Renamed into place, so that a reader never sees half of it. */
function writeInfo(directory: string, info: DaemonInfo): void {
  const path = join(directory, INFO_FILE);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(info)}\n`, { flag: "wx", mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** A process of another user is alive, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function describeHolder(holder: DaemonInfo | undefined): string {
  if (!holder) return "Another daemon";
  return `Another daemon (pid ${holder.pid}${holder.url ? `, ${holder.url}` : ""})`;
}
