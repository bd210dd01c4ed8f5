/** Single files of a directory as a restore sees them, and the directories above them. It never goes through a link. */
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmdirSync,
} from "node:fs";
import { open } from "node:fs/promises";
import type { FileVersion } from "../../core/workspace.ts";
import { pathBytes } from "../inspect-file.ts";
import { objectId } from "../loose-object.ts";
import { parentsOf } from "../path-parts.ts";

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
  return above === "directories" ? readEntry(folder, path, sizes) : { is: above };
}

/** What has the name, whatever is above it. */
export function readEntry({ directory }: DiskFolder, path: string, sizes: ReadonlySet<number>): DiskState {
  const name = pathBytes(directory, path);
  const stats = lstatSync(name, { bigint: true, throwIfNoEntry: false });
  if (!stats) return { is: "absent" };
  if (stats.isDirectory()) return { is: "directory" };
  if (stats.isSymbolicLink()) {
    const id = objectId("blob", readlinkSync(name, { encoding: "buffer" }));
    return { is: "file", version: { mode: "120000", id }, stats };
  }
  if (!stats.isFile() || !sizes.has(Number(stats.size))) return { is: "other" };
  const content = readContent(name, Number(stats.size));
  if (!content) return { is: "other" };
  const mode = (stats.mode & 0o100n) !== 0n ? "100755" : "100644";
  return { is: "file", version: { mode, id: objectId("blob", content) }, stats };
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

/** Removes a directory that has nothing but directories in it. False if it has more: then all of it stays. */
export function removeEmptyTree(folder: DiskFolder, path: string): boolean {
  const directories = listEmptyTree(pathBytes(folder.directory, path));
  for (const name of directories?.toReversed() ?? []) rmdirSync(name);
  return directories !== undefined;
}

/** The directory and all below it, outer ones first. Undefined if there is a file. */
function listEmptyTree(name: Buffer): Buffer[] | undefined {
  const found = [name];
  for (const entry of readdirSync(name, { encoding: "buffer", withFileTypes: true })) {
    const inner = entry.isDirectory() && listEmptyTree(Buffer.concat([name, Buffer.from("/"), entry.name]));
    if (!inner) return undefined;
    found.push(...inner);
  }
  return found;
}

/** Makes what was done in a directory last through a power cut. */
export async function syncDirectory(folder: DiskFolder, path: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  try {
    await using directory = await open(
      pathBytes(folder.directory, path),
      O_RDONLY | O_DIRECTORY | O_NOFOLLOW,
    );
    await directory.sync();
  } catch {
    // It went with its last file, or its file system cannot.
  }
}

export function hasRealParents(folder: DiskFolder, path: string): boolean {
  return readParents(folder, path) === "directories";
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

/** False if something else is in their place. */
export function makeParents(folder: DiskFolder, path: string): boolean {
  for (const parent of parentsOf(path)) {
    const name = pathBytes(folder.directory, parent);
    if (!lstatSync(name, { throwIfNoEntry: false })) mkdirSync(name);
  }
  return hasRealParents(folder, path);
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
