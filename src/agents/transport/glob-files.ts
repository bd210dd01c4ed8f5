/** Files by patterns: names separated by `/`, in which `*` stands for any characters of one name. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** More files than this nobody has of one conversation. */
const MAX_FILES = 500;

/** The regular files below `root` that fit, by their paths relative to it. None where there is no such directory. */
export async function globFiles(root: string, pattern: string): Promise<string[]> {
  let found = [""];
  for (const name of pattern.split("/"))
    found = await Promise.all(found.map((at) => step(root, at, name))).then(flat);
  const files = await Promise.all(
    found.map(async (path) =>
      (await lstat(join(root, path)).catch(() => undefined))?.isFile() ? [path] : [],
    ),
  );
  return flat(files);
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
  const names = await readdir(join(root, at)).catch(() => []);
  const fits = matcher(name);
  return names.filter((one) => fits.test(one)).map(below);
}

function matcher(name: string): RegExp {
  const literal = (text: string) => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&");
  return new RegExp(`^${name.split("*").map(literal).join(".*")}$`, "s");
}

function flat(lists: readonly string[][]): string[] {
  return lists.flat().slice(0, MAX_FILES).sort();
}
