/** Notices that a file which is open was removed, replaced or cut short by somebody else: SQLite itself does not. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { DamagedDataError } from "../damaged-data.ts";

export class WatchedFile {
  readonly #path: string;
  readonly #inode: bigint;
  /** It only grows: nothing of ours ever shrinks it. */
  #size: bigint;

  /** The file is there. */
  constructor(path: string) {
    this.#path = path;
    const { ino, size } = statSync(path, { bigint: true });
    this.#inode = ino;
    this.#size = size;
  }

  /** Throws a `DamagedDataError` when it is not the file it was, whole. */
  assertWhole(): void {
    const name = basename(this.#path);
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (!now) throw new DamagedDataError(`${name} was removed while it was open`);
    if (now.ino !== this.#inode) throw new DamagedDataError(`${name} was replaced while it was open`);
    if (now.size < this.#size) throw new DamagedDataError(`${name} was cut short while it was open`);
    this.#size = now.size;
  }
}
