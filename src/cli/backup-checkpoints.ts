/** The checkpoints beside a backup: written and read with it, in a file of their own. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeLeftovers } from "../store/backup.ts";
import { syncPath } from "../store/sqlite/sync-path.ts";
import * as archive from "../workspace/checkpoint-archive.ts";

/** The folder of a data directory that has them. */
const FOLDER = "workspaces";

export function backedUpCheckpoints(file: string): string {
  return `${file}.checkpoints`;
}

/** Replaces `file`, or removes it if there are none. */
export async function exportCheckpoints(data: string, file: string): Promise<archive.ArchiveResult> {
  removeLeftovers(file);
  const partial = `${file}.partial-${process.pid}`;
  try {
    const result = await archive.exportCheckpoints(join(data, FOLDER), partial);
    if (result.checkpoints === 0) rmSync(file, { force: true });
    else {
      syncPath(partial);
      renameSync(partial, file);
    }
    syncPath(dirname(file));
    return result;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Undefined if the backup has none. */
export async function importCheckpoints(
  file: string,
  data: string,
): Promise<archive.ImportResult | undefined> {
  return existsSync(file) ? await archive.importCheckpoints(file, join(data, FOLDER)) : undefined;
}
