/**
 * Opens files at paths that somebody else may have made: regular files only, without waiting and without following a
 * link. Opening a pipe that nobody writes to would otherwise take a thread of ours for ever.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const { O_NOFOLLOW, O_NONBLOCK } = constants;

/** The caller closes it. Rejects with a sentence for what is no regular file, and as `open` does for the rest. */
export async function openRegularFile(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode).catch((error: unknown) => {
    throw explainOpen(path, error as NodeJS.ErrnoException);
  });
  try {
    assertRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Whole, for small files. `inspect` gets to see the open file before it is read, and may throw.
 *
 * Not for a file this process has locks on: closing it drops them.
 */
export function readRegularFile(
  path: string,
  {
    maxBytes = 1024 * 1024,
    inspect = () => {},
  }: { maxBytes?: number; inspect?(fd: number, stats: Stats): void } = {},
): Buffer {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw explainOpen(path, error as NodeJS.ErrnoException);
  }
  try {
    const stats = fstatSync(fd);
    assertRegular(path, stats);
    if (stats.size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes.`);
    inspect(fd, stats);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function assertRegular(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new Error(`${path} is a link, which is not followed.`);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file.`);
}

/** What the system says about a link and about a pipe that nobody reads from. */
function explainOpen(path: string, error: NodeJS.ErrnoException): Error {
  if (error.code === "ELOOP" || error.code === "EMLINK")
    return new Error(`${path} is a link, which is not followed.`, { cause: error });
  if (error.code === "ENXIO") return new Error(`${path} is not a regular file.`, { cause: error });
  return error;
}
