/** Directories by a part of their names: in some directories inside the roots and below them, the nearest first. */
import { join } from "node:path";
import { UNINTERESTING } from "../../core/file-lister.ts";
import type { ListedDirectory } from "../../core/node-files.ts";
import type { AllowedRoots } from "./allowed-roots.ts";
import { describeDirectory } from "./describe-directory.ts";
import { readSubdirectories } from "./read-subdirectories.ts";

export interface FoundDirectories {
  directories: ListedDirectory[];
  /** There are more, or there is more to look through. */
  isTruncated?: true;
}

export interface DirectorySearch {
  /** Real paths inside the roots. */
  from: readonly string[];
  /** A part of the name, in upper or lower case. */
  search: string;
  limit: number;
}

const MAX_DEPTH = 8;
/** How many directories are gone into. */
const MAX_DIRECTORIES = 2_000;
/** How many names are read, files among them. */
const MAX_NAMES = 50_000;

/** Goes into no link, nothing hidden and nothing that tools made. What cannot be read is passed over. */
export async function searchDirectories(
  roots: AllowedRoots,
  { from, search, limit }: DirectorySearch,
): Promise<FoundDirectories> {
  const wanted = search.toLowerCase();
  const found = new Map<string, ListedDirectory>();
  const entered = new Set<string>();
  let names = 0;
  let level: readonly string[] = from;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= MAX_DEPTH) return results(found, limit, true);
    const below: string[] = [];
    for (const path of level) {
      if (entered.has(path)) continue;
      if (entered.size >= MAX_DIRECTORIES || names >= MAX_NAMES) return results(found, limit, true);
      entered.add(path);
      await using held = await roots.open(path, { field: "path" }).catch(() => undefined);
      // It was exchanged for a link meanwhile.
      if (held?.path !== path) continue;
      const read = await readSubdirectories(held, MAX_NAMES - names).catch(() => undefined);
      names += read?.names ?? 0;
      for (const entry of read?.entries ?? []) {
        const { name } = entry;
        if (name.toLowerCase().includes(wanted)) {
          const described = await describeDirectory(held, entry, roots);
          if (described) found.set(described.path, described);
          if (found.size > limit) return results(found, limit, true);
        }
        if (entry.isDirectory() && !name.startsWith(".") && !UNINTERESTING.has(name))
          below.push(join(path, name));
      }
    }
    level = below;
  }
  return results(found, limit, names >= MAX_NAMES);
}

function results(
  found: ReadonlyMap<string, ListedDirectory>,
  limit: number,
  hasMore: boolean,
): FoundDirectories {
  return { directories: [...found.values()].slice(0, limit), ...(hasMore && { isTruncated: true }) };
}
