/**
 * One daemon per data directory. The lock is an open SQLite transaction on `lock.db`: the operating system holds it
 * for the process and drops it when the process ends, however it ends. What the holder says about itself is in
 * `daemon.json`; that file alone proves nothing, since it outlives a kill.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateFile, prepareDataDirectory } from "./data-directory.ts";

export interface DaemonInfo {
  pid: number;
  /** Unknown until the daemon listens. */
  url?: string;
  /** Where a client of the same user finds the token. */
  tokenFile?: string;
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

export class DataDirectoryLockedError extends Error {
  /** Undefined when the holder has not said who it is. */
  readonly holder: DaemonInfo | undefined;

  constructor(directory: string, holder: DaemonInfo | undefined) {
    super(
      `${describeHolder(holder)} already uses the data directory ${directory}. Stop it, or give another directory with --data.`,
    );
    this.name = "DataDirectoryLockedError";
    this.holder = holder;
  }
}

const LOCK_FILE = "lock.db";
const INFO_FILE = "daemon.json";

/** Whoever only asks (`readDaemonInfo`) is in the way for a moment; a daemon that starts just then must not give up. */
const GRACE_MS = 100;

const SQLITE_BUSY = 5;

/**
 * Takes the lock or throws a `DataDirectoryLockedError` that names the holder. It does not wait for a daemon to end.
 *
 * @example
 * const lock = acquireDataDirectoryLock(directory, { pid: process.pid, startedAt: Date.now(), version });
 * lock.update({ url: "http://127.0.0.1:4100" });
 */
export function acquireDataDirectoryLock(directory: string, owner: DaemonInfo): DataDirectoryLock {
  prepareDataDirectory(directory);
  createPrivateFile(join(directory, LOCK_FILE));
  const database = lock(directory, isAlive(readInfo(directory)) ? 0 : GRACE_MS);
  if (!database) throw new DataDirectoryLockedError(directory, readInfo(directory));
  let info = owner;
  writeInfo(directory, info);
  const release = () => {
    if (!database.isOpen) return;
    process.off("exit", release);
    rmSync(join(directory, INFO_FILE), { force: true });
    database.close();
  };
  // Also keeps the transaction referenced: a collected database would be closed, and the lock be gone.
  process.on("exit", release);
  return {
    update(more) {
      if (!database.isOpen) return;
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

/** The open transaction that is the lock; undefined when somebody else has it. */
function lock(directory: string, waitMs: number): DatabaseSync | undefined {
  const database = new DatabaseSync(join(directory, LOCK_FILE), { timeout: waitMs });
  if (succeeds(() => database.exec("BEGIN EXCLUSIVE"))) return database;
  database.close();
  return undefined;
}

/** Asks with a shared lock, so that several who ask do not take each other for a daemon. */
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
    const info = JSON.parse(readFileSync(join(directory, INFO_FILE), "utf8")) as DaemonInfo;
    return Number.isInteger(info.pid) ? info : undefined;
  } catch {
    // Missing, or left half written by an editor: nobody is named.
    return undefined;
  }
}

/** Renamed into place, so that a reader never sees half of it. */
function writeInfo(directory: string, info: DaemonInfo): void {
  const path = join(directory, INFO_FILE);
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(info)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function isAlive(info: DaemonInfo | undefined): boolean {
  if (!info) return false;
  try {
    process.kill(info.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function describeHolder(holder: DaemonInfo | undefined): string {
  if (!holder) return "Another daemon";
  return `Another daemon (pid ${holder.pid}${holder.url ? `, ${holder.url}` : ""})`;
}
