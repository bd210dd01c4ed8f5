/** The data directory and its files are for their owner only. */
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";

/** SQLite gives its side files the mode of the main file, so the main file is made before SQLite opens it. */
export { createPrivateFile } from "../../files/private-file.ts";

export const DATABASE_FILE = "interlingua.db";

/** Makes the directory. One that is there already is closed to others only when it is clearly ours. */
export function prepareDataDirectory(directory: string): void {
  makeDirectory(directory);
  const entries = readdirSync(directory);
  // Somebody may give a directory that holds other things, such as /tmp. Our files in it are private all the same.
  if (entries.length === 0 || entries.includes(DATABASE_FILE)) chmodSync(directory, 0o700);
}

/** Not `mkdirSync` with `recursive`: that never returns for a place where nothing can be made, such as /proc/a/b. */
function makeDirectory(directory: string, parentMissing = true): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || !parentMissing) throw error;
    makeDirectory(dirname(directory));
    makeDirectory(directory, false);
  }
}
