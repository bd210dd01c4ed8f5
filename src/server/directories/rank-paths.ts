/** Which of many paths somebody means by a few letters. */
import type { RankedPath } from "../../core/node-files.ts";
import type { TimeSlices } from "../../core/time-slices.ts";

export interface RankOptions {
  search: string;
  limit: number;
  slices: TimeSlices;
}

/** How many are looked at before others may go on. */
const SLICE_PATHS = 500;

/**
 * Those that have the letters in this order, the likeliest first: by the name, by its beginning, by a part of it, by a part
 * of the path, by scattered letters; among equals the shorter. Directories on the way are found too. Without letters what is
 * nearest to the top comes first.
 *
 * @example await rankPaths(["src/app.ts", "README.md"], { search: "app", limit: 10, slices }) // [{ path: "src/app.ts" }]
 */
export async function rankPaths(
  paths: readonly string[],
  { search, limit, slices }: RankOptions,
): Promise<RankedPath[]> {
  const wanted = search
    .replace(/^(\.?\/)+/, "")
    .replace(/\s+/g, "")
    .toLowerCase();
  const byRank: RankedPath[][] = [];
  const consider = (ranked: RankedPath): void => {
    const rank = rankOf(ranked.path.toLowerCase(), wanted);
    if (rank === undefined) return;
    byRank[rank] ??= [];
    byRank[rank].push(ranked);
  };
  const directories = new Set<string>();
  for (const [index, path] of paths.entries()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      if (directories.has(directory)) break;
      directories.add(directory);
      consider({ path: directory, isDirectory: true });
    }
    consider({ path });
    const pause = index % SLICE_PATHS === 0 ? slices.pause() : undefined;
    if (pause) await pause;
  }
  const best: RankedPath[] = [];
  for (const equals of byRank) {
    if (best.length >= limit) break;
    best.push(...(equals ?? []).sort(shorterFirst).slice(0, limit - best.length));
  }
  return best;
}

function shorterFirst({ path: one }: RankedPath, { path: other }: RankedPath): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Both in lower case. Undefined where the letters are not there. */
function rankOf(path: string, wanted: string): number | undefined {
  if (wanted === "") return path.split("/").length;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (path.startsWith(wanted)) return 2;
  if (name.includes(wanted)) return 3;
  if (path.includes(wanted)) return 4;
  if (hasLetters(name, wanted)) return 5;
  return hasLetters(path, wanted) ? 6 : undefined;
}

function hasLetters(text: string, wanted: string): boolean {
  let at = -1;
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
