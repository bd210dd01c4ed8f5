/**
 * Reads and opens files at paths that somebody else may have chosen or made: regular files only, never a link, a pipe or a
 * device, and never more than a limit. Opening a pipe that nobody writes to would otherwise block a thread for good.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { copyFile, type FileHandle, lstat, open, realpath, rm, stat } from "node:fs/promises";
import { ReadGate } from "./read-gate.ts";

const { COPYFILE_FICLONE_FORCE, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

export const MAX_FILE_BYTES = 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

/** Of a copy. */
const PIECE_BYTES = 1024 * 1024;

/** One for the process, because the thread pool of Node is one for the process. */
const gate = new ReadGate();

export interface ReadRegularFileOptions {
  /** A file with more is refused. `MAX_FILE_BYTES` when absent. */
  readonly maxBytes?: number;
  /** With `own`, a link is followed if the file it leads to belongs to this user or root. `refuse` when absent. */
  readonly links?: "refuse" | "own";
}

export interface ReadFileInsideOptions extends ReadRegularFileOptions {
  /** A real path. A file is refused if it is not in this directory, whatever links or dots lead to it. */
  readonly inside?: string;
}

export interface ReadRegularFileSyncOptions extends ReadRegularFileOptions {
  /** Sees the open file before it is read, and may throw. */
  inspect?(fd: number, stats: Stats): void;
}

/**
 * Reads a whole file. Rejects with a sentence for a file that is refused, and as `open` does for the rest, such as
 * `ENOENT`. At most two reads run at once, each with a time limit: a file system that hangs takes no more threads.
 *
 * @example const rules = await readRegularFile("/home/me/project/.gitignore");
 */
export function readRegularFile(
  path: string | Buffer,
  { maxBytes = MAX_FILE_BYTES, links = "refuse", inside }: ReadFileInsideOptions = {},
): Promise<Buffer> {
  return gate.run(path.toString(), async () => {
    const found = await lstat(path);
    const followed = links === "own" && found.isSymbolicLink();
    const target = followed ? await realpath(path) : path;
    assertRegular(path, followed ? await lstat(target) : found);
    await using handle = await openWithoutWaiting(target, O_RDONLY);
    const stats = await handle.stat();
    assertReadable(path, stats, { maxBytes, followed });
    if (inside !== undefined) assertInside(path, await openedPath(String(target), handle), inside);
    const chunks = new Chunks(path, stats.size, maxBytes);
    for (;;) {
      const chunk = chunks.next();
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (!chunks.add(bytesRead)) return chunks.content;
    }
  });
}

/**
 * Does what `readRegularFile` does, without a time limit: for files of our own, and for programs that do nothing else.
 *
 * Not for a file this process has locks on: closing it drops them.
 */
export function readRegularFileSync(
  path: string | Buffer,
  { maxBytes = MAX_FILE_BYTES, links = "refuse", inspect }: ReadRegularFileSyncOptions = {},
): Buffer {
  const found = lstatSync(path);
  const followed = links === "own" && found.isSymbolicLink();
  const target = followed ? realpathSync(path) : path;
  assertRegular(path, followed ? lstatSync(target) : found);
  let fd: number;
  try {
    fd = openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    throw explainOpen(path, error as NodeJS.ErrnoException);
  }
  try {
    const stats = fstatSync(fd);
    assertReadable(path, stats, { maxBytes, followed });
    inspect?.(fd, stats);
    const chunks = new Chunks(path, stats.size, maxBytes);
    for (;;) {
      const chunk = chunks.next();
      if (!chunks.add(readSync(fd, chunk, 0, chunk.length, null))) return chunks.content;
    }
  } finally {
    closeSync(fd);
  }
}

/** What there is at a path; undefined where that cannot be told. It opens nothing. */
export function inspectFile(path: string, { followsLinks = true } = {}): Promise<BigIntStats | undefined> {
  const look = followsLinks ? stat : lstat;
  return gate.run(path, () => look(path, { bigint: true }).catch(() => undefined));
}

/** Asks the system about a path that others choose, in the gate of all reads. Rejects with a `HungError` after its time. */
export function lookAt<Result>(path: string, look: () => Promise<Result>): Promise<Result> {
  return gate.run(path, look);
}

/** The caller closes it. Rejects with a sentence for what is no regular file, and as `open` does for the rest. */
export async function openRegularFile(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const found = await lstat(path).catch(() => undefined);
  if (found) assertRegular(path, found);
  const handle = await openWithoutWaiting(path, flags, mode);
  try {
    assertRegular(path, await handle.stat());
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A file has more bytes than its reader takes. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";

  constructor(path: string | Buffer, maxBytes: number) {
    super(`${path} is larger than ${maxBytes} bytes.`);
  }
}

/**
 * Copies a file as it is when it is opened; a pipe or link that takes its place is not copied. Returns how many bytes were
 * written: none where the file system lets both files share their content. Otherwise the copy is made in pieces, so that no
 * thread of the pool is taken for long, and a file with more than `maxBytes` is refused: a sparse file has any size it likes.
 */
export async function copyRegularFile(
  from: string,
  to: string,
  { maxBytes }: { maxBytes: number },
): Promise<number> {
  await using handle = await openRegularFile(from, O_RDONLY);
  // By its descriptor the system finds the file that was opened.
  const opened = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : from;
  const isShared = await copyFile(opened, to, COPYFILE_FICLONE_FORCE).then(
    () => true,
    () => false,
  );
  if (isShared) return 0;
  const { size, mode } = await handle.stat();
  if (size > maxBytes) throw new TooLargeError(from, maxBytes);
  try {
    await using copy = await open(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
    const written = await copyPieces(handle, copy, size);
    await copy.chmod(mode & 0o777);
    return written;
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

/** No more than the file had: it may grow meanwhile. */
async function copyPieces(from: FileHandle, to: FileHandle, size: number): Promise<number> {
  const piece = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES));
  let copied = 0;
  while (copied < size) {
    const { bytesRead } = await from.read(piece, 0, Math.min(piece.length, size - copied), null);
    if (bytesRead === 0) break;
    await to.writeFile(piece.subarray(0, bytesRead));
    copied += bytesRead;
  }
  return copied;
}

export function assertRegular(path: string | Buffer, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new Error(`${path} is a link, which is not followed.`);
  if (!stats.isFile()) throw new Error(`${path} is not a regular file.`);
}

/** The real path of what was opened at a path. Rejects where that was exchanged meanwhile. */
export async function openedPath(path: string, handle: FileHandle): Promise<string> {
  if (process.platform === "linux") return realpath(`/proc/self/fd/${handle.fd}`);
  const real = await realpath(path);
  const [opened, named] = await Promise.all([handle.stat(), stat(real)]);
  if (opened.dev === named.dev && opened.ino === named.ino) return real;
  throw new Error(`${path} was exchanged while it was opened`);
}

function assertInside(path: string | Buffer, real: string, directory: string): void {
  if (real.startsWith(directory.endsWith("/") ? directory : `${directory}/`)) return;
  throw new Error(`${path} is outside of ${directory}.`);
}

async function openWithoutWaiting(path: string | Buffer, flags: number, mode?: number): Promise<FileHandle> {
  try {
    return await open(path, flags | O_NOFOLLOW | O_NONBLOCK, mode);
  } catch (error) {
    throw explainOpen(path, error as NodeJS.ErrnoException);
  }
}

function assertReadable(
  path: string | Buffer,
  stats: Stats,
  { maxBytes, followed }: { maxBytes: number; followed: boolean },
): void {
  assertRegular(path, stats);
  if (followed && stats.uid !== 0 && stats.uid !== (process.getuid?.() ?? stats.uid))
    throw new Error(`${path} is a link to a file of another user, which is not followed.`);
  if (stats.size > maxBytes) throw new TooLargeError(path, maxBytes);
}

/** What was read so far. The size that the system says is not trusted: files under /proc say 0, and a file may grow. */
class Chunks {
  readonly #path: string | Buffer;
  readonly #maxBytes: number;
  readonly #read: Buffer[] = [];
  #chunk: Buffer;
  #bytes = 0;

  constructor(path: string | Buffer, size: number, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#chunk = Buffer.allocUnsafe(Math.min(Math.max(size, 0) + 1, CHUNK_BYTES));
  }

  next(): Buffer {
    if (this.#bytes > 0)
      this.#chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, this.#maxBytes - this.#bytes + 1));
    return this.#chunk;
  }

  /** False at the end of the file. */
  add(bytesRead: number): boolean {
    if (bytesRead === 0) return false;
    this.#bytes += bytesRead;
    if (this.#bytes > this.#maxBytes) throw new TooLargeError(this.#path, this.#maxBytes);
    this.#read.push(this.#chunk.subarray(0, bytesRead));
    return true;
  }

  get content(): Buffer {
    return Buffer.concat(this.#read);
  }
}

/** What the system says about a link and about a pipe that nobody reads from. */
function explainOpen(path: string | Buffer, error: NodeJS.ErrnoException): Error {
  if (error.code === "ELOOP" || error.code === "EMLINK")
    return new Error(`${path} is a link, which is not followed.`, { cause: error });
  if (error.code === "ENXIO") return new Error(`${path} is not a regular file.`, { cause: error });
  return error;
}
