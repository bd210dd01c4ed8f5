/** Which files changed after a moment, by the clock of their file system. What cannot be told counts as changed. */
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** @param since In milliseconds since the epoch. */
export async function changedSince(
  directory: string,
  paths: readonly string[],
  since: number,
): Promise<string[]> {
  const changed: string[] = [];
  for (const path of paths) if (await isChangedSince(join(directory, path), since)) changed.push(path);
  return changed;
}

/** When a file went, the directory that it was in changed. */
async function isChangedSince(path: string, since: number): Promise<boolean> {
  try {
    // Ours has whole milliseconds.
    return Math.floor((await lstat(path)).ctimeMs) > since;
  } catch {
    return path === dirname(path) || isChangedSince(dirname(path), since);
  }
}
