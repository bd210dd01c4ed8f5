/** The data directory and its files are for their owner only. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from "node:fs";

export const DATABASE_FILE = "interlingua.db";

/** Makes the directory. One that is there already is closed to others only when it is clearly ours. */
export function prepareDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const entries = readdirSync(directory);
  // Somebody may give a directory that holds other things, such as /tmp. Our files in it are private all the same.
  if (entries.length === 0 || entries.includes(DATABASE_FILE)) chmodSync(directory, 0o700);
}

/**
 * SQLite gives its side files the mode of the main file, so the main file is made before SQLite opens it. A file that
 * exists is not opened: closing it again would drop any lock that this process holds on it.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(path, 0o600);
  }
}
