/** Whether a path is a directory or lies in it. Both are absolute and without dots; links are not followed. */
export function isInside(path: string, directory: string): boolean {
  return `${path}/`.startsWith(directory.endsWith("/") ? directory : `${directory}/`);
}

/** Whether one directory is the other or lies inside it. */
export function overlap(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one);
}
