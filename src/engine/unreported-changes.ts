/** What changed in a turn without the agent having said so. */
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { FileDifference } from "../core/workspace.ts";

/**
 * The changes to files that are not among the reported paths. Agents give absolute paths or such that begin in `directory`,
 * some of them through links.
 */
export async function unreportedChanges(
  changes: readonly FileDifference[],
  reported: readonly string[],
  directory: string,
): Promise<FileDifference[]> {
  if (changes.length === 0 || reported.length === 0) return [...changes];
  const folders = new Map<string, Promise<string>>();
  const known = new Set<string>();
  for (const path of new Set(reported)) {
    const absolute = resolve(directory, path);
    known.add(relative(directory, absolute));
    const folder = dirname(absolute);
    // It may have been removed in the turn.
    const real = folders.get(folder) ?? realpath(folder).catch(() => folder);
    folders.set(folder, real);
    known.add(relative(directory, join(await real, basename(absolute))));
  }
  return changes.filter(({ path }) => !known.has(path));
}
