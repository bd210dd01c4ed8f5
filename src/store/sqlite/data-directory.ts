/** Keeps the data directory and its files private. */
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";

/** SQLite gives its side files the mode of the main file, so the main file is made before SQLite opens it. */
export { createPrivateFile } from "../../files/private-file.ts";

export const DATABASE_FILE = "interlingua.db";

/** Creates the directory. An existing one is made private only if it is clearly ours. */
export function prepareDataDirectory(directory: string): void {
  makeDirectory(directory);
  const entries = readdirSync(directory);
  // The directory may hold other things, as /tmp does. Our files in it are private all the same.
  if (entries.length === 0 || entries.includes(DATABASE_FILE)) chmodSync(directory, 0o700);
}

/** Not `mkdirSync` with `recursive`, which never returns for paths like /proc/a/b. */
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
