/** Short names of directories that differ from one another. Pure. */

/**
 * The last folder of each path; with as many folders above it as tell it from the others.
 *
 * @example directoryNames(["/a/shop/web", "/a/docs/web", "/b/api"]) // "shop/web", "docs/web", "api"
 */
export function directoryNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (let open = [...new Set(paths)], folders = 1; open.length > 0; folders += 1) {
    const byName = Map.groupBy(open, (path) => lastFolders(path, folders));
    for (const [name, same] of byName) {
      const isWhole = same.every((path) => split(path).length <= folders);
      if (same.length === 1 || isWhole) for (const path of same) names.set(path, isWhole ? path : name);
    }
    open = open.filter((path) => !names.has(path));
  }
  return names;
}

function split(path: string): string[] {
  return path.split("/").filter(Boolean);
}

function lastFolders(path: string, count: number): string {
  return split(path).slice(-count).join("/") || path;
}
