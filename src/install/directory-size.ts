/** How much has arrived in a directory. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The bytes of all files in it. What comes and goes meanwhile may be missed. */
export async function directorySize(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  let total = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    total += await lstat(join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return total;
}
