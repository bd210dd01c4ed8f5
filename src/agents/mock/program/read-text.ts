/** Reads the text of a regular file. */
import { readRegularFileSync } from "../../../files/regular-file.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** Throws for a link, a pipe, a device and a file that is too large. */
export function readText(path: string): string {
  return readRegularFileSync(path, { maxBytes: MAX_BYTES }).toString();
}

export function readIfThere(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}
