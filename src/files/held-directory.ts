/**
 * A directory that stays the one that was opened, whatever others put in its place meanwhile. On Linux it is used by its
 * descriptor. Elsewhere its path is used, and it is only checked once more that it still is the same one.
 */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { lookAt, openedPath } from "./regular-file.ts";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export class HeldDirectory {
  /** Its real path when it was opened. */
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /**
   * Rejects for what is no directory, for a link, and with a `HungError` for a disk that does not answer. Links above it are
   * followed: look at `path` before you use it.
   */
  static async open(path: string): Promise<HeldDirectory> {
    let isLate = false;
    const open = async () => {
      const held = await HeldDirectory.#open(path);
      // Nobody waits for it any more.
      if (isLate) await held[Symbol.asyncDispose]();
      return held;
    };
    try {
      return await lookAt(path, open);
    } catch (error) {
      isLate = true;
      throw error;
    }
  }

  static async #open(path: string): Promise<HeldDirectory> {
    const handle = await open(path, FLAGS);
    try {
      return new HeldDirectory(await openedPath(path, handle), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** By which the system finds it, or what is in it; processes that this one starts can use it too. */
  at(name = ""): string {
    if (process.platform !== "linux") return join(this.path, name);
    return join(`/proc/${process.pid}/fd/${this.#handle.fd}`, name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}
