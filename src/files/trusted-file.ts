/** Checks a file whose content is run as ours: nobody else may be able to change it. */
import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * The file after all links. Throws a sentence with the remedy unless it is a regular file of this user or root that nobody else
 * can write or replace: of its folders, too, none may be open to others.
 */
export function requireTrustedFile(path: string): string {
  const real = realPath(path);
  const stats = statSync(real);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file. Name the file itself.`);
  assertOwned(real, stats);
  if (isOpen(stats)) throw new Error(`${real} can be written by others. Run: chmod go-w ${real}`);
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    const found = statSync(folder);
    assertOwned(folder, found);
    // In a sticky folder, such as /tmp, nobody can replace what belongs to somebody else.
    if (isOpen(found) && (found.mode & STICKY) === 0)
      throw new Error(`${folder} can be written by others, and with it ${real}. Run: chmod go-w ${folder}`);
    if (folder === dirname(folder)) return real;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new Error(`there is no file ${path}. Correct the path.`);
    throw error;
  }
}

function assertOwned(path: string, { uid }: Stats): void {
  const own = process.getuid?.() ?? uid;
  if (uid === own || uid === 0) return;
  throw new Error(
    `${path} belongs to another user (${uid}). Take a copy that belongs to you, in a folder of yours.`,
  );
}

/** The group that a user is alone in by convention is the user's own. */
function isOpen({ mode, gid }: Stats): boolean {
  if ((mode & OTHERS_MAY_WRITE) !== 0) return true;
  return (mode & GROUP_MAY_WRITE) !== 0 && gid !== process.getgid?.();
}
