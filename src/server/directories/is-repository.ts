/** Whether a directory is the top of a git repository or of a worktree: nothing of it is read. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { lookAt } from "../../files/regular-file.ts";

export function isRepository(path: string): Promise<boolean> {
  return lookAt(path, () => lstat(join(path, ".git"))).then(
    () => true,
    () => false,
  );
}
