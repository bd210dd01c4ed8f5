/** Finds what lies where files are about to be written and is not among the files that git sees: it would be lost. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { BYTES } from "../git.ts";

/** @param changes What `git diff-tree -z --name-status` says: statuses and paths in turn, as latin1. */
export async function findInTheWay(root: string, changes: readonly string[]): Promise<string | undefined> {
  const added: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; at + 1 < changes.length; at += 2) {
    const [status, path] = [changes[at]!, changes[at + 1]!];
    if (status === "A") added.push(path);
    else seen.add(path);
  }
  const checked = new Set<string>();
  for (const path of added) {
    const names = path.split("/");
    for (let length = 1; length <= names.length; length += 1) {
      const part = names.slice(0, length).join("/");
      if (seen.has(part) || checked.has(part)) continue;
      checked.add(part);
      const kind = await kindOf(root, part);
      if (kind === "nothing") break;
      const found = kind === "file" ? part : length === names.length && (await findUnseen(root, part, seen));
      if (found) return Buffer.from(found, BYTES).toString();
    }
  }
  return undefined;
}

/** A file below a directory that is to become a file itself. */
async function findUnseen(
  root: string,
  directory: string,
  seen: ReadonlySet<string>,
): Promise<string | undefined> {
  for (const entry of await readdir(fullPath(root, directory), { encoding: "buffer", withFileTypes: true })) {
    const path = `${directory}/${entry.name.toString(BYTES)}`;
    if (seen.has(path)) continue;
    const found = entry.isDirectory() ? await findUnseen(root, path, seen) : path;
    if (found !== undefined) return found;
  }
  return undefined;
}

function fullPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, "/")), Buffer.from(path, BYTES)]);
}

async function kindOf(root: string, path: string): Promise<"file" | "directory" | "nothing"> {
  try {
    return (await lstat(fullPath(root, path))).isDirectory() ? "directory" : "file";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "nothing";
    throw error;
  }
}
