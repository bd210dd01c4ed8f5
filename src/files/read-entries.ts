/** Lists directories that others fill: a million names would take a quarter of a gigabyte. */
import type { Dirent } from "node:fs";
import { opendir, readdir, stat } from "node:fs/promises";

/** A directory of this size has a few thousand names, and can be listed in one go, which is much faster. */
const SMALL_BYTES = 64 * 1024;

const NAMES_AT_ONCE = 512;

export interface ListedEntries {
  readonly entries: readonly Dirent<string>[];
  /** There are more. */
  readonly isCut: boolean;
}

/**
 * As `readdir`, up to a number of names.
 *
 * @example const { entries, isCut } = await readEntries("/home/me/project", 20_000);
 */
export async function readEntries(
  path: string | Buffer,
  maxNames: number,
  encoding: BufferEncoding = "utf8",
): Promise<ListedEntries> {
  const { size } = await stat(path);
  if (size <= SMALL_BYTES) {
    const all = await readdir(path, { withFileTypes: true, encoding });
    return { entries: all.slice(0, maxNames), isCut: all.length > maxNames };
  }
  const entries: Dirent<string>[] = [];
  for await (const entry of await opendir(path, { encoding, bufferSize: NAMES_AT_ONCE })) {
    if (entries.length >= maxNames) return { entries, isCut: true };
    entries.push(entry);
  }
  return { entries, isCut: false };
}
