/** Notices that an open file was removed, replaced or truncated by somebody else, which SQLite does not. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { DamagedDataError } from "../damaged-data.ts";

export class WatchedFile {
  readonly #path: string;
  readonly #inode: bigint;
  /** It only grows: nothing of ours ever shrinks it. */
  #size: bigint;

  /** The file must exist. */
  constructor(path: string) {
    this.#path = path;
    const { ino, size } = statSync(path, { bigint: true });
    this.#inode = ino;
    this.#size = size;
  }

  /** Throws a `DamagedDataError` if the file was replaced or truncated. */
  assertWhole(): void {
    const name = basename(this.#path);
    const now = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (!now) throw new DamagedDataError(`${name} was removed while it was open`);
    if (now.ino !== this.#inode) throw new DamagedDataError(`${name} was replaced while it was open`);
    if (now.size < this.#size) throw new DamagedDataError(`${name} was cut short while it was open`);
    this.#size = now.size;
  }
}
