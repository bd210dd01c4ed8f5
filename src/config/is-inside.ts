/** Whether a path is a directory or lies in it. Both are absolute; links are not followed. */
import { isAbsolute, relative } from "node:path";

export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === "" || !(way === ".." || way.startsWith("../") || isAbsolute(way));
}
