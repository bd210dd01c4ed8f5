/** Lists the files of a directory: by git where it is in a work tree, else by a walk. Nothing in them is read. */
import { join } from "node:path";
import { type FileLister, type ListedFiles, UNINTERESTING } from "../core/file-lister.ts";
import { isInside } from "../core/is-inside.ts";
import { HeldDirectory } from "../files/held-directory.ts";
import { readEntries } from "../files/read-entries.ts";
import { askGit, GitTimeoutError } from "./git.ts";
import { UnansweredDirectories } from "./unanswered-directories.ts";
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
  const unanswered = new UnansweredDirectories();
  const kept = new Map<string, { readonly at: number; readonly files: Promise<ListedFiles> }>();
  return {
    list(directory, way = directory) {
      const known = kept.get(directory);
      if (known && now() - known.at < FRESH_MS) return known.files;
      const files = listFiles(directory, way, unanswered);
      kept.delete(directory);
      kept.set(directory, { at: now(), files });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      files.catch(() => kept.get(directory)?.files === files && kept.delete(directory));
      return files;
    },
  };
}

async function listFiles(
  directory: string,
  way: string,
  unanswered: UnansweredDirectories,
): Promise<ListedFiles> {
  const listed = await unanswered.run(directory, () => listByGit(directory, way)).catch(() => undefined);
  return listed ?? (await walk(directory, way));
}

/** Undefined where there is no repository. */
async function listByGit(directory: string, way: string): Promise<ListedFiles | undefined> {
  const options = { cwd: way, signal: AbortSignal.timeout(MAX_GIT_MS) };
  try {
    const repository = await findUserRepository(directory, options);
    if (!repository) return undefined;
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const { stdout, isCut } = await askGit(directory, args, {
      ...options,
      settings: repository.settings,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    // A file with a conflict is listed once for each side. The last name may be cut.
    const names = new Set(stdout.toString().split("\0").slice(0, -1).filter(isText));
    return bounded([...names], isCut);
  } catch (error) {
    throw options.signal.aborted ? new GitTimeoutError("ls-files", directory, MAX_GIT_MS) : error;
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
    for (const entry of await listEntries(directory, way, prefix)) {
      if (!isText(entry.name)) continue;
      const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
      if (!entry.isDirectory()) paths.push(path);
      else if (!entry.name.startsWith(".") && !UNINTERESTING.has(entry.name)) directories.push(path);
    }
  }
  return bounded(paths, isTruncated);
}

/** None of a directory that became something else, or cannot be read; of the first one that is an error. */
async function listEntries(directory: string, way: string, prefix: string) {
  if (prefix === "") return (await readEntries(way, MAX_FILES + 1)).entries;
  try {
    await using held = await HeldDirectory.open(join(way, prefix));
    if (!isInside(held.path, directory)) return [];
    return (await readEntries(held.at(), MAX_FILES + 1)).entries;
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
