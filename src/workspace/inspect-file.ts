/** Looks at a file before git does: git fails as a whole on what it cannot take. */
import { constants } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { BYTES } from "./git.ts";

export type InspectedFile =
  | { readonly found: "present"; readonly bytes: number }
  | { readonly found: "gone" | "too-large" | "unreadable" | "special" };

/** How many are looked at together: more would only wait for each other. */
const AT_ONCE = 32;

/** @param paths As latin1, relative to the root. */
export async function inspectFiles(
  root: string,
  paths: readonly string[],
  maxFileBytes: number,
): Promise<InspectedFile[]> {
  const found: InspectedFile[] = new Array(paths.length);
  let next = 0;
  const work = async () => {
    while (next < paths.length) {
      const at = next;
      next += 1;
      found[at] = await inspect(root, paths[at]!, maxFileBytes);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, paths.length) }, work));
  return found;
}

/** The name of a file as the system takes it, whatever bytes it has. */
export function pathBytes(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, BYTES)]);
}

async function inspect(root: string, path: string, maxFileBytes: number): Promise<InspectedFile> {
  // Git takes no such name in any spelling, and it can be a repository's.
  if (/(^|\/)\.git(\/|$)/i.test(path)) return { found: "special" };
  const name = pathBytes(root, path);
  try {
    const status = await lstat(name);
    if (status.isSymbolicLink()) return { found: "present", bytes: status.size };
    if (status.isDirectory()) return { found: "gone" };
    if (!status.isFile()) return { found: "special" };
    if (status.size > maxFileBytes) return { found: "too-large" };
    const isOwn = status.uid === process.getuid?.();
    if (!(isOwn && (status.mode & 0o400) !== 0)) await access(name, constants.R_OK);
    return { found: "present", bytes: status.size };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { found: code === "ENOENT" || code === "ENOTDIR" ? "gone" : "unreadable" };
  }
}
