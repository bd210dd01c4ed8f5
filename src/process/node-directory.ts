/** Where the Node is that runs us: agents' scripts find it there where the PATH has no other. */
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { searchPath } from "../core/search-path.ts";

const OTHERS_MAY_WRITE = 0o002;

/**
 * Undefined for a directory that must not be on a search path: one of npm's, and one into which anybody may put programs.
 * `executable` is absolute.
 */
export function nodeDirectory(executable: string = process.execPath): string | undefined {
  if (basename(executable) !== "node") return undefined;
  const directory = searchPath({ PATH: dirname(executable) });
  // More than one entry, or none.
  if (directory !== dirname(executable) || directory.includes(":")) return undefined;
  const found = statSync(directory, { throwIfNoEntry: false });
  return found && (found.mode & OTHERS_MAY_WRITE) === 0 ? directory : undefined;
}
