/** Opens what is stored for reading, or says which file is broken and what to do about it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ReadableStore } from "../store/readable-store.ts";
import { DATABASE_FILE } from "../store/sqlite/data-directory.ts";
import type { StoredAt } from "./stored-at.ts";

/** Codes of SQLite: the file is damaged, or no database. */
const BROKEN = [11, 26];
/** Codes of SQLite: the file cannot be read or opened. */
const CLOSED_TO_US = [10, 14];

/** Changes nothing. The caller closes it. */
export async function openData({ data, store }: StoredAt): Promise<ReadableStore> {
  // SQLite is loaded only by callers that open the database.
  const { openStoreReadOnly } = await import("../store/open-store.ts");
  try {
    return await openStoreReadOnly(store === undefined ? data : { url: store });
  } catch (error) {
    throw explainDatabaseError(error, data);
  }
}

/** The error itself when it is about something else. */
export function explainDatabaseError(error: unknown, directory: string): unknown {
  const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
  const explain = (remedy: string) => {
    const problem = `${join(directory, DATABASE_FILE)} cannot be opened: ${(error as Error).message}.`;
    return new Error(`${problem} ${remedy}`, { cause: error });
  };
  if (CLOSED_TO_US.includes(code))
    return explain("Check that it is a file, and that you may write to its directory.");
  if (!BROKEN.includes(code)) return error;
  // SQLite would apply a leftover log file to another database beside it.
  const copies = copiesIn(directory).join(", ");
  return explain(
    `Restore a backup with: interlingua backup restore FILE --force. Or move it and its -wal and -shm files away; then put a copy in its place${copies && ` (${copies})`}, or start anew.`,
  );
}

/** Made before an older format was brought up to date. */
function copiesIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.startsWith(DATABASE_FILE) && name.endsWith(".bak"));
}
