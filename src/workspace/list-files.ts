/** Lists the files of a directory: by git where it is in a work tree, else by a walk. Nothing in them is read. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type FileLister, type ListedFiles, UNINTERESTING } from "../core/file-lister.ts";
import { isInside } from "../core/is-inside.ts";
import { HeldDirectory } from "../files/held-directory.ts";
import { askGit } from "./git.ts";
import { findUserRepository } from "./user-repository.ts";

const MAX_FILES = 50_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_GIT_MS = 10_000;
/** How many directories a walk goes into. */
const MAX_DIRECTORIES = 5_000;

/** Whoever types asks with each key. */
const FRESH_MS = 3_000;
const MAX_KEPT = 4;

/** @example const { paths } = await openFileLister().list("/home/me/project"); */
export function openFileLister(now: () => number = Date.now): FileLister {
  const kept = new Map<string, { readonly at: number; readonly files: Promise<ListedFiles> }>();
  return {
    list(directory, way = directory) {
      const known = kept.get(directory);
      if (known && now() - known.at < FRESH_MS) return known.files;
      const files = listFiles(directory, way);
      kept.delete(directory);
      kept.set(directory, { at: now(), files });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      files.catch(() => kept.get(directory)?.files === files && kept.delete(directory));
      return files;
    },
  };
}

async function listFiles(directory: string, way: string): Promise<ListedFiles> {
  return (await listByGit(way)) ?? (await walk(directory, way));
}

/** Undefined where git has no answer. */
async function listByGit(way: string): Promise<ListedFiles | undefined> {
  const signal = AbortSignal.timeout(MAX_GIT_MS);
  try {
    if (!(await findUserRepository(way, signal))) return undefined;
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout, isCut } = await askGit(way, args, signal, MAX_OUTPUT_BYTES);
    // A file with a conflict is listed once for each side. The last name may be cut.
    const names = new Set(stdout.toString().split("\0").slice(0, -1).filter(isText));
    return bounded([...names], isCut);
  } catch {
    return undefined;
  }
}

/** Those nearest to the top first. */
async function walk(directory: string, way: string): Promise<ListedFiles> {
  const paths: string[] = [];
  const directories = [""];
  let isTruncated = false;
  for (let next = 0; next < directories.length; next += 1) {
    if (next >= MAX_DIRECTORIES || paths.length >= MAX_FILES) {
      isTruncated = true;
      break;
    }
    const prefix = directories[next]!;
    for (const entry of await readEntries(directory, way, prefix)) {
      if (!isText(entry.name)) continue;
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) paths.push(path);
      else if (!entry.name.startsWith(".") && !UNINTERESTING.has(entry.name)) directories.push(path);
    }
  }
  return bounded(paths, isTruncated);
}

/** None of a directory that became something else, or cannot be read; of the first one that is an error. */
async function readEntries(directory: string, way: string, prefix: string) {
  if (prefix === "") return readdir(way, { withFileTypes: true });
  try {
    await using held = await HeldDirectory.open(join(way, prefix));
    return isInside(held.path, directory) ? await readdir(held.at(), { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

function bounded(paths: string[], isTruncated: boolean): ListedFiles {
  return { paths: paths.slice(0, MAX_FILES), isTruncated: isTruncated || paths.length > MAX_FILES };
}

/** A name that is no UTF-8 cannot be named in a prompt. */
function isText(name: string): boolean {
  return name !== "" && !name.includes("\uFFFD");
}
