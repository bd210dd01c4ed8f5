/** Small files of ours for their owner only, such as the token. A link in their place is refused, not followed. */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fchmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { assertRegular, readRegularFileSync } from "./regular-file.ts";

/** Undefined when it does not exist or holds nothing but white space. Changes nothing. */
export function readPrivateFile(path: string): string | undefined {
  return read(path, () => {});
}

/** Reads the file and makes it private, or creates it. If several create it at once, one wins for all. */
export function keepPrivateFile(path: string, make: () => string): string {
  const kept = read(path, (fd, { mode }) => {
    if ((mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
  });
  if (kept !== undefined) return kept;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const content = make();
  return writeFirst(path, `${content}\n`) ? content : (readPrivateFile(path) ?? content);
}

/** Puts this in the place of what was there. A crash leaves the one or the other. */
export function replacePrivateFile(path: string, content: string): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, `${content}\n`, { flag: "wx", mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    throw explainWrite(path, error as Error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Creates an empty file, or makes an existing one private. That one is not opened: closing it would drop any lock this
 * process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    restrictToOwner(path);
  }
}

/** Does not open it either. */
export function restrictToOwner(path: string): void {
  const stats = assertOwnFile(path);
  if (stats && (stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
}

/** Throws for a link, for what is no regular file, and for a file of another user. Undefined where there is nothing. */
export function assertOwnFile(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  assertRegular(path, stats);
  assertOwner(path, stats);
  return stats;
}

function read(path: string, inspect: (fd: number, stats: Stats) => void): string | undefined {
  try {
    const content = readRegularFileSync(path, {
      inspect(fd, stats) {
        assertOwner(path, stats);
        inspect(fd, stats);
      },
    });
    return content.toString().trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** False if somebody else was first. A crash leaves the whole content or none. */
function writeFirst(path: string, content: string): boolean {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600, flush: true });
    // An empty file holds nothing of anybody.
    if (lstatSync(path, { throwIfNoEntry: false })?.size === 0) renameSync(temporary, path);
    else linkSync(temporary, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    // File systems without hard links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw explainWrite(path, error as Error);
    renameSync(temporary, path);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function explainWrite(path: string, error: Error): Error {
  return new Error(
    `${path} could not be written: ${error.message}. Look at the disk and its rights, or give another directory with --data.`,
    { cause: error },
  );
}

/**
 * In a shared directory such as /tmp another user could have put the file there. It is ours if it belongs to us, to
 * root, or to the owner of the directory.
 */
function assertOwner(path: string, stats: Stats): void {
  const owners = [process.getuid?.() ?? stats.uid, 0, statSync(dirname(path)).uid];
  if (owners.includes(stats.uid)) return;
  throw new Error(
    `${path} belongs to another user (${stats.uid}). Remove it, or give another directory with --data.`,
  );
}
