/**
 * Replaces and deletes single files so that nothing of anybody else gets lost. A comparison before a rename leaves an instant
 * in which somebody can save the file. So it is moved aside first, and looked at when no save can reach it any more: if it
 * is not what was expected, it goes back.
 */
import { linkSync, lstatSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import type { FileVersion } from "../../core/workspace.ts";
import { pathBytes } from "../inspect-file.ts";
import { isLockHeld } from "../lock-context.ts";
import { WorkspaceError } from "../workspace-error.ts";
import {
  type DiskFolder,
  type DiskState,
  hasRealParents,
  isVersion,
  readEntry,
  readState,
} from "./disk-file.ts";

export interface FileExchange {
  readonly folder: DiskFolder;
  readonly path: string;
  /** Beside it: where what was there is until the end. */
  readonly aside: string;
  readonly from: FileVersion | undefined;
  readonly to: FileVersion | undefined;
  /** Of both. */
  readonly sizes: ReadonlySet<number>;
}

/** False if it was something else, which then is there again. */
export function removeFile(exchange: FileExchange): boolean {
  assertLockHeld();
  renameSync(nameOf(exchange, exchange.path), nameOf(exchange, exchange.aside));
  return settle(exchange);
}

/** @param place Puts what is to come where nothing is. */
export function replaceFile(exchange: FileExchange, place: (name: Buffer) => boolean): boolean {
  assertLockHeld();
  const name = nameOf(exchange, exchange.path);
  renameSync(name, nameOf(exchange, exchange.aside));
  try {
    place(name);
  } finally {
    settle(exchange);
  }
  const isDone = isVersion(exchange.folder, readEntryOf(exchange, exchange.path), exchange.to);
  return isDone && hasRealParents(exchange.folder, exchange.path);
}

/**
 * What becomes of a file that was moved aside, now or by a restore that was killed. It goes if it was what it was to be, and
 * something is in its place or nothing is to be; else it is put back. True if it is gone.
 */
export function settle(exchange: FileExchange): boolean {
  const { folder, path, aside, from, to } = exchange;
  const old = readEntryOf(exchange, aside);
  if (old.is === "absent") return false;
  // Killed while it was put back.
  if (isSameFile(nameOf(exchange, aside), nameOf(exchange, path))) {
    unlinkSync(nameOf(exchange, aside));
    return false;
  }
  const present = readEntryOf(exchange, path);
  const isDone = isVersion(folder, present, to);
  const isReplaced = isDone || present.is !== "absent";
  // Beyond a link that has just come nothing may change.
  const isHere = hasRealParents(folder, path);
  if (isHere && isReplaced) {
    // Who was stopped since it was moved aside puts it back: another node may have gone on.
    if (isVersion(folder, old, from) && isStill(nameOf(exchange, aside), old) && isLockHeld()) {
      unlinkSync(nameOf(exchange, aside));
      return true;
    }
    // Somebody has saved into it, and something else into its place: both stay.
    if (!isDone) return false;
  }
  putBack(exchange, isDone && to !== undefined);
  return false;
}

/** Whether a file that was moved aside has to stay there: somebody has saved into it, and its place is taken. */
export function isLeftAside({ folder, aside }: FileExchange): boolean {
  const { is } = readState(folder, aside, new Set());
  return is !== "absent" && is !== "blocked";
}

/**
 * @param isInTheWay What came is there. It is replaced, not deleted first: only where the two are in one directory, so that
 *   nothing beyond a link is taken for it.
 */
function putBack(exchange: FileExchange, isInTheWay: boolean): void {
  const [aside, name] = [nameOf(exchange, exchange.aside), nameOf(exchange, exchange.path)];
  if (!isInTheWay) placeNew(aside, name);
  else {
    // No directory can replace a file.
    if (lstatSync(aside).isDirectory()) unlinkSync(name);
    renameSync(aside, name);
  }
}

/** Puts a file where nothing is. */
export function addFile(exchange: FileExchange, place: (name: Buffer) => boolean): boolean {
  assertLockHeld();
  return place(nameOf(exchange, exchange.path)) && hasRealParents(exchange.folder, exchange.path);
}

/** A process may have been stopped since it was looked at last. */
function assertLockHeld(): void {
  if (!isLockHeld()) throw new WorkspaceError("Another node may have gone on with these files.");
}

/** Gives a file its name, unless something has that by now: a link fails then, and a rename would replace it. */
export function placeNew(current: Buffer, name: Buffer): boolean {
  try {
    // On some systems a link to a link is one to what that points to.
    if (lstatSync(current).isFile()) {
      linkSync(current, name);
      unlinkSync(current);
      return true;
    }
  } catch (error) {
    // Others are those of file systems without hard links.
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
  }
  if (lstatSync(name, { throwIfNoEntry: false })) return false;
  renameSync(current, name);
  return true;
}

/** False if something is there. */
export function placeLink(target: Buffer, name: Buffer): boolean {
  try {
    symlinkSync(target, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Whether nobody who had it open has written since it was read. */
function isStill(name: Buffer, state: DiskState): boolean {
  if (state.is !== "file") return false;
  const now = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  const { ino, size, mtimeNs, ctimeNs } = state.stats;
  return now?.ino === ino && now.size === size && now.mtimeNs === mtimeNs && now.ctimeNs === ctimeNs;
}

function isSameFile(a: Buffer, b: Buffer): boolean {
  const [one, other] = [a, b].map((name) => lstatSync(name, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** What cannot be read is nothing we know. */
function readEntryOf({ folder, sizes }: FileExchange, path: string): DiskState {
  try {
    return readEntry(folder, path, sizes);
  } catch (error) {
    return { is: (error as NodeJS.ErrnoException).code === "ENOTDIR" ? "absent" : "other" };
  }
}

function nameOf({ folder }: FileExchange, path: string): Buffer {
  return pathBytes(folder.directory, path);
}
