/** Files by patterns: names separated by `/`, in which `*` stands for any characters of one name. */
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** More files than this nobody has of one conversation. */
const MAX_FILES = 500;
/** On the way there: a directory for each project, or for each day of some years. */
const MAX_DIRECTORIES = 5000;
/** How many names of one directory are read. */
const MAX_NAMES = 20_000;

/** The regular files below `root` that fit, by their paths relative to it. None where there is no such directory. */
export async function globFiles(root: string, pattern: string): Promise<string[]> {
  let found = [""];
  for (const name of pattern.split("/"))
    found = await Promise.all(found.map((at) => step(root, at, name))).then((lists) =>
      flat(lists, MAX_DIRECTORIES),
    );
  const files = await Promise.all(
    found.map(async (path) =>
      (await lstat(join(root, path)).catch(() => undefined))?.isFile() ? [path] : [],
    ),
  );
  return flat(files, MAX_FILES);
}

/** Whether a relative path is one that the pattern may find. Names with dots alone never are. */
export function matchesPattern(path: string, pattern: string): boolean {
  const names = path.split("/");
  const wanted = pattern.split("/");
  return (
    names.length === wanted.length &&
    names.every(
      (name, place) => !/^\.*$/.test(name) && !name.includes("\0") && matcher(wanted[place]!).test(name),
    )
  );
}

async function step(root: string, at: string, name: string): Promise<string[]> {
  const below = (one: string) => (at === "" ? one : `${at}/${one}`);
  if (!name.includes("*")) return [below(name)];
  return (await readNames(join(root, at), matcher(name)).catch(() => [])).map(below);
}

async function readNames(directory: string, wanted: RegExp): Promise<string[]> {
  const names: string[] = [];
  let read = 0;
  for await (const { name } of await opendir(directory, { bufferSize: 256 })) {
    if (wanted.test(name)) names.push(name);
    read += 1;
    if (read >= MAX_NAMES || names.length >= MAX_DIRECTORIES) break;
  }
  return names;
}

function matcher(name: string): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  return new RegExp(`^${name.split("*").map(literal).join(".*")}$`, "s");
}

function flat(lists: readonly string[][], most: number): string[] {
  return lists.flat().slice(0, most).sort();
}
