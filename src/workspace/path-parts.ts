/** Paths relative to a session's directory: what is above, beside and below them. */

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** From the outermost to the innermost. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Another name in the same directory. */
export function siblingOf(path: string, name: string): string {
  return childOf(parentOf(path), name);
}

/** @param parent Empty for the session's directory. */
export function childOf(parent: string, name: string): string {
  return parent === "" ? name : `${parent}/${name}`;
}
