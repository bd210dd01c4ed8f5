/** Paths that clients name. */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { invalidField } from "../protocol/refusals.ts";

export function assertAbsolute(path: string, field: string): void {
  if (isAbsolute(path) && !path.includes("\0")) return;
  throw invalidField(field, "must be an absolute path", `${field} must be an absolute path.`);
}

/** Resolves as much of an absolute path as exists, so as not to reveal what exists outside the roots. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

/** Whether a path is a directory or lies in it. Both are real paths. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}
