/** Single files of a directory as a restore sees and changes them. It never goes through a link. */
import { createHash } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { FileVersion } from "../core/workspace.ts";
import { BYTES } from "./git.ts";
import { pathBytes } from "./inspect-file.ts";

export type DiskState =
  /** Blocked: a file or a link is above it. */
  | { readonly is: "absent" | "directory" | "blocked" }
  /** A file or link; the stats tell whether it changed since. */
  | { readonly is: "file"; readonly version: FileVersion; readonly stats: BigIntStats }
  /** A device, or a file of another size than those that matter. */
  | { readonly is: "other" };

export interface DiskFolder {
  /** As a real path. */
  readonly directory: string;
  /** False where the file system does not know which files can be run. */
  readonly hasModes: boolean;
}

/** @param sizes Those that matter: a file of another size is not read. */
export function readState(folder: DiskFolder, path: string, sizes: ReadonlySet<number>): DiskState {
  const above = readParents(folder, path);
  if (above !== "directories") return { is: above };
  const name = pathBytes(folder.directory, path);
  const stats = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  if (!stats) return { is: "absent" };
  if (stats.isDirectory()) return { is: "directory" };
  if (stats.isSymbolicLink()) {
    const id = blobId(readlinkSync(name, { encoding: "buffer" }));
    return { is: "file", version: { mode: "120000", id }, stats };
  }
  if (!stats.isFile() || !sizes.has(Number(stats.size))) return { is: "other" };
  const content = readContent(name, Number(stats.size));
  if (!content) return { is: "other" };
  const mode = (stats.mode & 0o100n) !== 0n ? "100755" : "100644";
  return { is: "file", version: { mode, id: blobId(content) }, stats };
}

/** Whether a file is what a checkpoint has. */
export function isVersion(
  { hasModes }: DiskFolder,
  state: DiskState,
  version: FileVersion | undefined,
): boolean {
  if (!version) return state.is === "absent";
  if (state.is !== "file" || state.version.id !== version.id) return false;
  if (state.version.mode === version.mode) return true;
  return !hasModes && state.version.mode.slice(0, 3) === version.mode.slice(0, 3);
}

/** Puts a file or link where nothing is, or where what was found still is. False if something else is there by now. */
export function writeVersion(
  folder: DiskFolder,
  path: string,
  found: DiskState,
  to: FileVersion,
  content: Buffer,
  temporaryName: string,
): boolean {
  makeParents(folder, path);
  const name = pathBytes(folder.directory, path);
  if (
    found.is === "file" &&
    found.version.id === to.id &&
    found.version.mode !== to.mode &&
    isRegular(found.version, to)
  ) {
    if (!isUnchanged(name, found.stats)) return false;
    chmodSync(name, modeFor(to, found));
    return true;
  }
  const temporary = pathBytes(folder.directory, siblingOf(path, temporaryName));
  rmSync(temporary, { force: true });
  if (to.mode === "120000") symlinkSync(content, temporary);
  else writeNew(temporary, content, modeFor(to, found));
  if (found.is !== "file") return placeNew(temporary, name);
  if (!isUnchanged(name, found.stats)) {
    unlinkSync(temporary);
    return false;
  }
  renameSync(temporary, name);
  return true;
}

/** False if something else is there by now. */
export function removeFile(folder: DiskFolder, path: string, found: DiskState): boolean {
  const name = pathBytes(folder.directory, path);
  if (found.is !== "file" || !isUnchanged(name, found.stats)) return false;
  unlinkSync(name);
  return true;
}

/** What a restore that was killed has left beside a file. */
export function removeTemporary(folder: DiskFolder, path: string, temporaryName: string): void {
  if (readParents(folder, path) === "directories")
    rmSync(pathBytes(folder.directory, siblingOf(path, temporaryName)), { force: true });
}

/** Removes directories above a file that went, as long as they are empty. */
export function removeEmptyParents(folder: DiskFolder, path: string): void {
  for (const parent of parentsOf(path).reverse()) {
    if (readParents(folder, `${parent}/`) !== "directories") continue;
    try {
      rmdirSync(pathBytes(folder.directory, parent));
    } catch {
      return;
    }
  }
}

/** Removes a directory that has nothing but directories in it. False if it has more. */
export function removeEmptyTree(folder: DiskFolder, path: string): boolean {
  const name = pathBytes(folder.directory, path);
  for (const entry of readdirSync(name, { encoding: "buffer", withFileTypes: true })) {
    if (!entry.isDirectory()) return false;
    if (!removeEmptyTree(folder, `${path}/${entry.name.toString(BYTES)}`)) return false;
  }
  rmdirSync(name);
  return true;
}

/** Makes what was done in a directory last through a power cut. */
export function syncDirectory(folder: DiskFolder, path: string): void {
  try {
    const descriptor = openSync(pathBytes(folder.directory, path), constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // It went with its last file, or its file system cannot.
  }
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

function siblingOf(path: string, name: string): string {
  const parent = parentOf(path);
  return parent === "" ? name : `${parent}/${name}`;
}

/** Whether all above a file are real directories. Below a file or a link there is no file of ours. */
function readParents({ directory }: DiskFolder, path: string): "directories" | "absent" | "blocked" {
  for (const parent of parentsOf(path)) {
    const stats = lstatSync(pathBytes(directory, parent), { throwIfNoEntry: false });
    if (!stats) return "absent";
    if (!stats.isDirectory()) return "blocked";
  }
  return "directories";
}

function makeParents({ directory }: DiskFolder, path: string): void {
  for (const parent of parentsOf(path)) {
    const name = pathBytes(directory, parent);
    if (!lstatSync(name, { throwIfNoEntry: false })) mkdirSync(name);
  }
}

function isUnchanged(name: Buffer, stats: BigIntStats): boolean {
  const now = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  return (
    now !== undefined &&
    now.ino === stats.ino &&
    now.size === stats.size &&
    now.mtimeNs === stats.mtimeNs &&
    now.ctimeNs === stats.ctimeNs
  );
}

/** A link fails where a file is by now; a rename would replace it. */
function placeNew(temporary: Buffer, name: Buffer): boolean {
  try {
    linkSync(temporary, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isTaken = code === "EEXIST" || lstatSync(name, { throwIfNoEntry: false }) !== undefined;
    if (!isTaken) {
      // File systems without hard links.
      renameSync(temporary, name);
      return true;
    }
    unlinkSync(temporary);
    return false;
  }
  unlinkSync(temporary);
  return true;
}

function writeNew(name: Buffer, content: Buffer, mode: number): void {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  const descriptor = openSync(name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(descriptor, content, at);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Of the file that is replaced, if there is one; only whether it can be run is the checkpoint's. */
function modeFor({ mode }: FileVersion, found: DiskState): number {
  const isReplaced = found.is === "file" && found.version.mode !== "120000";
  const bits = isReplaced ? Number(found.stats.mode & 0o7777n) : 0o666 & ~process.umask();
  return mode === "100755" ? bits | ((bits & 0o444) >> 2) : bits & ~0o111;
}

function isRegular(...versions: readonly FileVersion[]): boolean {
  return versions.every(({ mode }) => mode.startsWith("100"));
}

/** Undefined if it is not that long any more. */
function readContent(name: Buffer, size: number): Buffer | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const content = Buffer.alloc(size + 1);
    let at = 0;
    for (let read = -1; read !== 0 && at <= size; at += read)
      read = readSync(descriptor, content, at, size + 1 - at, null);
    return at === size ? content.subarray(0, size) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function blobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
