/** Files an agent reads and writes through its client: regular ones inside one directory, and nothing else. */
import { constants } from "node:fs";
import { type FileHandle, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { lookAt, openRegularFile } from "../../files/regular-file.ts";
import type { RpcParams } from "../transport/json-rpc.ts";

/** What is read or written at once. It becomes one line, and that a raw record. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** How far into a file a part of it is looked for. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 10;

const { O_CREAT, O_RDONLY, O_WRONLY } = constants;

/** The result of `fs/read_text_file`. Rejects for what is outside of `root`, no regular file, or too large. */
export async function readTextFile(root: string, { path, line, limit }: RpcParams): Promise<object> {
  const first = typeof line === "number" ? Math.max(0, line - 1) : 0;
  const last = typeof limit === "number" ? first + limit : Number.POSITIVE_INFINITY;
  const handle = await openInside(root, path, O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    // Some agents ask before they create a file, and take an error for the end of it.
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return { content: "" };
  try {
    return { content: await readLines(handle, first, last) };
  } finally {
    await handle.close();
  }
}

/** The result of `fs/write_text_file`. Rejects for what is outside of `root`, no regular file, or too large. */
export async function writeTextFile(root: string, { path, content }: RpcParams): Promise<object> {
  if (typeof content !== "string") throw new Error("there is no content to write");
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw new Error(`the content is larger than the ${MAX_FILE_BYTES} bytes that are written at once`);
  const handle = await openInside(root, path, O_WRONLY | O_CREAT);
  try {
    await handle.truncate();
    await handle.writeFile(content);
  } finally {
    await handle.close();
  }
  return {};
}

async function openInside(root: string, path: unknown, flags: number): Promise<FileHandle> {
  if (typeof path !== "string" || !isAbsolute(path)) throw new Error("the path must be absolute");
  const top = await lookAt(root, () => realpath(root));
  const file = await resolveLinks(path);
  assertInside(top, file, path);
  if (flags & O_CREAT) await mkdir(dirname(file), { recursive: true });
  const handle = await openRegularFile(file, flags, 0o666);
  try {
    // A directory on the way may have been exchanged for a link since we looked.
    if (process.platform === "linux") assertInside(top, await realpath(`/proc/self/fd/${handle.fd}`), path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function assertInside(top: string, file: string, path: string): void {
  const way = relative(top, file);
  if (way.split("/")[0] === ".." || isAbsolute(way))
    throw new Error(`${path} is outside of the session's directory`);
}

/** The path with its links resolved, as far as it exists. A link that leads nowhere stays, and is not opened. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await lookAt(path, () => realpath(path));
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    return join(await resolveLinks(parent), basename(path));
  }
}

/** The lines from `first` up to `last`, without the newline before `last`. Reads no further than it must. */
async function readLines(handle: FileHandle, first: number, last: number): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let scannedBytes = 0;
  let line = 0;
  while (line < last) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    scannedBytes += bytesRead;
    let start = line >= first ? 0 : bytesRead;
    let end = bytesRead;
    for (let index = 0; index < bytesRead; index += 1) {
      if (buffer[index] !== LINE_FEED) continue;
      line += 1;
      if (line === first) start = index + 1;
      if (line === last) {
        end = index;
        break;
      }
    }
    if (start < end) {
      kept.push(buffer.subarray(start, end));
      keptBytes += end - start;
    }
    if (keptBytes > MAX_FILE_BYTES)
      throw new Error(
        `this is more than the ${MAX_FILE_BYTES} bytes that are read at once; ask for fewer lines`,
      );
    if (scannedBytes > MAX_SCANNED_BYTES)
      throw new Error(`only the first ${MAX_SCANNED_BYTES} bytes of a file are looked at`);
  }
  return Buffer.concat(kept).toString("utf8");
}
