/**
 * What a restore is going to write, on disk already under names of its own. All of it is there before the first file is
 * changed: a full disk or a damaged checkpoint is noticed while nothing has happened yet.
 */
import { closeSync, constants, fchmodSync, lstatSync, openSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { pathBytes } from "../inspect-file.ts";
import { childOf, parentsOf } from "../path-parts.ts";
import type { DiskFolder } from "./disk-file.ts";

export interface StagedFile {
  /** Where it will be. As latin1. */
  readonly path: string;
  /** Its name until then. */
  readonly temporaryName: string;
}

export class StagedFiles implements AsyncDisposable {
  readonly #folder: DiskFolder;
  readonly #names = new Map<string, Buffer>();

  constructor(folder: DiskFolder) {
    this.#folder = folder;
  }

  /** What is not in its place by then goes. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#names.values()) await rm(name, { force: true });
  }

  /** As near to its place as there is a directory. */
  async write({ path, temporaryName }: StagedFile, content: Buffer): Promise<void> {
    const { directory } = this.#folder;
    const near = existingParents(this.#folder, path).at(-1)!;
    const name = pathBytes(directory, childOf(near, temporaryName));
    this.#names.set(path, name);
    const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
    await using opened = await open(name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    await opened.writeFile(content);
    await opened.sync();
  }

  /** Its name, with these rights. */
  take(path: string, mode: number): Buffer {
    const name = this.#names.get(path)!;
    const descriptor = openSync(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      fchmodSync(descriptor, mode);
    } finally {
      closeSync(descriptor);
    }
    return name;
  }
}

/** What a restore that was killed has left, wherever it may have been. */
export function removeStaged(folder: DiskFolder, { path, temporaryName }: StagedFile): void {
  for (const parent of existingParents(folder, path))
    rmSync(pathBytes(folder.directory, childOf(parent, temporaryName)), { force: true });
}

/** Real directories above a file, from the session's own, which is the empty path, to the innermost. */
function existingParents({ directory }: DiskFolder, path: string): string[] {
  const parents = parentsOf(path);
  const missing = parents.findIndex(
    (parent) => !lstatSync(pathBytes(directory, parent), { throwIfNoEntry: false })?.isDirectory(),
  );
  return ["", ...(missing === -1 ? parents : parents.slice(0, missing))];
}
