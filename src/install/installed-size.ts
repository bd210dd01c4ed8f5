/** How much npm has put into a folder. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** npm's own notes, which are not the same with every version of it. */
const NOTES = ".package-lock.json";

/** The bytes of all files of all packages. What comes and goes meanwhile may be missed. */
export async function installedSize(folder: string): Promise<number> {
  const modules = join(folder, "node_modules");
  const entries = await readdir(modules, { recursive: true, withFileTypes: true }).catch(() => []);
  let total = 0;
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === NOTES) continue;
    total += await lstat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return total;
}
