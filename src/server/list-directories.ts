/** What a directory inside the roots holds in directories, for somebody who looks for one to work in. */
import type { Dirent } from "node:fs";
import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HeldDirectory } from "../files/held-directory.ts";
import type { AllowedRoots } from "./allowed-roots.ts";

export interface ListedDirectory {
  name: string;
  /** As a session is given it. A link has its own path. */
  path: string;
  /** The top of a git repository. */
  isRepository?: true;
  /** Its name begins with a dot. */
  isHidden?: true;
}

export interface DirectoryListing {
  /** The real path of what was looked into; absent for the roots themselves. */
  path?: string;
  /** The directory above, where that may be looked into. */
  parent?: string;
  /** It is a git repository, or lies in one. */
  isInRepository?: true;
  directories: ListedDirectory[];
  /** There are more. */
  isTruncated?: true;
}

export interface DirectoryQuery {
  /** The roots when absent. */
  path?: string;
  /** Only those with this in their names, in any case. */
  search?: string;
  limit: number;
}

/** How many names are read, files among them. */
const MAX_NAMES = 20_000;
const AT_ONCE = 32;

/** Throws `outside_roots` and `not_a_directory`. Of links only those are listed that lead to a directory inside. */
export async function listDirectories(
  roots: AllowedRoots,
  { path, search = "", limit }: DirectoryQuery,
): Promise<DirectoryListing> {
  if (path === undefined) {
    const listed = roots.paths.map((root) => describeRoot(root));
    const found = (await Promise.all(listed)).filter(({ name }) => hasText(name, search));
    return { directories: found.slice(0, limit), ...(found.length > limit && { isTruncated: true }) };
  }
  await using held = await roots.open(path, { field: "path" });
  const { entries, isCut } = await readNames(held, search);
  const directories: ListedDirectory[] = [];
  let next = 0;
  while (next < entries.length && directories.length < limit) {
    const slice = entries.slice(next, next + Math.min(AT_ONCE, limit));
    next += slice.length;
    const described = await Promise.all(slice.map((entry) => describe(held, entry, roots)));
    directories.push(...described.filter((entry) => entry !== undefined));
  }
  const isTruncated = isCut || next < entries.length || directories.length > limit;
  const parent = dirname(held.path);
  return {
    path: held.path,
    ...(parent !== held.path && roots.isInRoots(parent) && { parent }),
    ...((await isInRepository(held.path, roots)) && { isInRepository: true }),
    directories: directories.slice(0, limit),
    ...(isTruncated && { isTruncated: true }),
  };
}

/** Directories and links in the order in which they are shown: hidden ones last. */
async function readNames(
  held: HeldDirectory,
  search: string,
): Promise<{ entries: Dirent[]; isCut: boolean }> {
  const entries: Dirent[] = [];
  let names = 0;
  for await (const entry of await opendir(held.at())) {
    names += 1;
    if (names > MAX_NAMES) break;
    if ((entry.isDirectory() || entry.isSymbolicLink()) && hasText(entry.name, search)) entries.push(entry);
  }
  const { compare } = new Intl.Collator("en", { numeric: true });
  entries.sort(
    (one, other) =>
      Number(isHidden(one.name)) - Number(isHidden(other.name)) || compare(one.name, other.name),
  );
  return { entries, isCut: names > MAX_NAMES };
}

async function describe(
  held: HeldDirectory,
  entry: Dirent,
  roots: AllowedRoots,
): Promise<ListedDirectory | undefined> {
  const { name } = entry;
  // JSON cannot carry it, so no session could be given it.
  if (name.includes("\uFFFD")) return undefined;
  if (entry.isSymbolicLink() && !(await leadsInside(held.at(name), roots))) return undefined;
  return {
    name,
    path: join(held.path, name),
    ...((await isRepositoryInside(held.at(name), roots)) && { isRepository: true }),
    ...(isHidden(name) && { isHidden: true }),
  };
}

async function leadsInside(path: string, roots: AllowedRoots): Promise<boolean> {
  try {
    const real = await realpath(path);
    return roots.isInRoots(real) && (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}

/** Looks only into what lies inside at that moment. */
async function isRepositoryInside(path: string, roots: AllowedRoots): Promise<boolean> {
  try {
    await using held = await HeldDirectory.open(await realpath(path));
    return roots.isInRoots(held.path) && (await exists(held.at(".git")));
  } catch {
    return false;
  }
}

async function describeRoot(root: string): Promise<ListedDirectory> {
  const isRepository = await exists(join(root, ".git"));
  return { name: basename(root) || root, path: root, ...(isRepository && { isRepository: true }) };
}

/** Above the roots nothing is looked at. */
async function isInRepository(path: string, roots: AllowedRoots): Promise<boolean> {
  for (let at = path; roots.isInRoots(at); at = dirname(at)) {
    if (await exists(join(at, ".git"))) return true;
    if (dirname(at) === at) break;
  }
  return false;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function hasText(name: string, search: string): boolean {
  return name.toLowerCase().includes(search.toLowerCase());
}
