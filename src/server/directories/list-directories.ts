/** What a directory inside the roots holds in directories, for somebody who looks for one to work in. */
import { basename, dirname } from "node:path";
import type { DirectoryListing, DirectoryQuery, ListedDirectory } from "../../core/node-files.ts";
import type { HeldDirectory } from "../../files/held-directory.ts";
import type { AllowedRoots } from "./allowed-roots.ts";
import { describeDirectory } from "./describe-directory.ts";
import { isRepository } from "./is-repository.ts";
import { readSubdirectories } from "./read-subdirectories.ts";
import { type FoundDirectories, searchDirectories } from "./search-directories.ts";

/** How many names are read, files among them. */
const MAX_NAMES = 20_000;
const AT_ONCE = 32;

/** Throws `outside_roots` and `not_a_directory`. Of links only those are listed that lead to a directory inside. */
export async function listDirectories(
  roots: AllowedRoots,
  { path, search = "", limit }: DirectoryQuery,
): Promise<DirectoryListing> {
  if (path === undefined) return search === "" ? listRoots(roots, limit) : searchRoots(roots, search, limit);
  await using held = await roots.open(path, { field: "path" });
  const { directories, isTruncated } =
    search === ""
      ? await listChildren(held, roots, limit)
      : await searchDirectories(roots, { from: [held.path], search, limit });
  const parent = dirname(held.path);
  return {
    path: held.path,
    ...(parent !== held.path && roots.isInRoots(parent) && { parent }),
    ...((await isInRepository(held.path, roots)) && { isInRepository: true }),
    directories,
    ...(isTruncated && { isTruncated }),
  };
}

async function listRoots(roots: AllowedRoots, limit: number): Promise<DirectoryListing> {
  const directories = await Promise.all(roots.paths.map((root) => describeRoot(root)));
  return bounded({ directories }, limit);
}

/** The roots that are called so, then what is below all of them. */
async function searchRoots(roots: AllowedRoots, search: string, limit: number): Promise<FoundDirectories> {
  const { directories } = await listRoots(roots, roots.paths.length);
  const named = directories.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  const below = await searchDirectories(roots, { from: roots.paths, search, limit });
  // A root may lie in another one.
  const others = below.directories.filter(({ path }) => !named.some((root) => root.path === path));
  return bounded({ ...below, directories: [...named, ...others] }, limit);
}

function bounded({ directories, isTruncated }: FoundDirectories, limit: number): FoundDirectories {
  const hasMore = isTruncated || directories.length > limit;
  return { directories: directories.slice(0, limit), ...(hasMore && { isTruncated: true }) };
}

async function listChildren(
  held: HeldDirectory,
  roots: AllowedRoots,
  limit: number,
): Promise<FoundDirectories> {
  const { entries, isCut } = await readSubdirectories(held, MAX_NAMES);
  const directories: ListedDirectory[] = [];
  let next = 0;
  while (next < entries.length && directories.length < limit) {
    const slice = entries.slice(next, next + Math.min(AT_ONCE, limit));
    next += slice.length;
    const described = await Promise.all(slice.map((entry) => describeDirectory(held, entry, roots)));
    directories.push(...described.filter((entry) => entry !== undefined));
  }
  return bounded({ directories, ...((isCut || next < entries.length) && { isTruncated: true }) }, limit);
}

async function describeRoot(root: string): Promise<ListedDirectory> {
  return {
    name: basename(root) || root,
    path: root,
    ...((await isRepository(root)) && { isRepository: true }),
  };
}

/** Above the roots nothing is looked at. */
async function isInRepository(path: string, roots: AllowedRoots): Promise<boolean> {
  for (let at = path; roots.isInRoots(at); at = dirname(at)) {
    if (await isRepository(at)) return true;
    if (dirname(at) === at) break;
  }
  return false;
}
