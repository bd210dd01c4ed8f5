/**
 * The memory of agents that keep a conversation in files below one directory: lines that are only added to (`.jsonl`), or
 * small files that are written anew. The names of parts are their paths.
 */
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type AdapterMemory,
  type Conversation,
  MAX_MEMORY_BYTES,
  type MemoryMarks,
  type MemoryUpdate,
} from "../../core/adapter-memory.ts";
import { globFiles, matchesPattern } from "./glob-files.ts";

export interface ConversationFiles {
  /** The directory that the patterns are relative to. */
  root(conversation: Conversation): string | undefined;
  /** What finds its files, and no others; see `globFiles`. Files of a pattern are looked for once, unless it is `many`. */
  patterns(conversation: Conversation): readonly FilePattern[];
  /** Called before files are replaced: nobody may have the conversation open. */
  unload?(conversation: Conversation): Promise<void>;
}

export interface FilePattern {
  readonly pattern: string;
  /** There may be more files later. */
  readonly many?: true;
}

/** How far the lines of a file were read: their length, and the last bytes before that. */
interface LinesMark {
  readonly length: number;
  readonly end: string;
}

/** The last content of a file that is written anew. */
interface WholeMark {
  readonly hash: string;
}

const END_BYTES = 512;

export function memoryOfFiles(files: ConversationFiles): AdapterMemory {
  return {
    async capture(conversation, marks) {
      const root = files.root(conversation);
      if (root === undefined) return [];
      const updates: MemoryUpdate[] = [];
      for (const part of await findParts(root, files.patterns(conversation), marks)) {
        const update = await readUpdate(join(root, part), part, marks.get(part));
        if (update) updates.push(update);
      }
      return updates;
    },

    async restore(conversation, parts, beforeWrite) {
      const root = files.root(conversation);
      if (root === undefined) return new Map();
      const patterns = files.patterns(conversation);
      const own = [...parts].filter(([part]) =>
        patterns.some(({ pattern }) => matchesPattern(part, pattern)),
      );
      const outdated: typeof own = [];
      for (const [part, data] of own)
        if (!(await goesOn(join(root, part), part, data))) outdated.push([part, data]);
      if (outdated.length > 0) {
        await beforeWrite();
        await files.unload?.(conversation);
      }
      for (const [part, data] of outdated) await replaceFile(join(root, part), data);
      return new Map(own.map(([part, data]) => [part, areLines(part) ? linesMark(data) : wholeMark(data)]));
    },
  };
}

async function findParts(
  root: string,
  patterns: readonly FilePattern[],
  marks: MemoryMarks,
): Promise<Set<string>> {
  const parts = new Set(marks.keys());
  for (const { pattern, many } of patterns) {
    const isKnown = !many && [...parts].some((part) => matchesPattern(part, pattern));
    if (!isKnown) for (const part of await globFiles(root, pattern)) parts.add(part);
  }
  return parts;
}

/** Undefined where nothing was added, or there is no such file any more. */
async function readUpdate(path: string, part: string, mark: unknown): Promise<MemoryUpdate | undefined> {
  await using file = await openRegular(path);
  if (!file) return undefined;
  // Awaited here: the file is closed afterwards.
  return areLines(part)
    ? await readLines(file, part, mark as LinesMark | undefined)
    : await readWhole(file, part, mark as WholeMark | undefined);
}

async function readLines(
  file: FileHandle,
  part: string,
  mark: LinesMark | undefined,
): Promise<MemoryUpdate | undefined> {
  const { size } = await file.stat();
  const isKnown = mark && size >= mark.length && (await endAt(file, mark.length)) === mark.end;
  const start = isKnown ? mark.length : 0;
  const data = wholeLines(await readFrom(file, start, size, part));
  if (data.length === 0) return undefined;
  if (!isKnown) return { part, data, replaces: true, mark: linesMark(data) };
  const end = endOf(Buffer.concat([Buffer.from(mark.end, "base64"), data]));
  return { part, data, mark: { length: start + data.length, end } satisfies LinesMark };
}

async function readWhole(
  file: FileHandle,
  part: string,
  mark: WholeMark | undefined,
): Promise<MemoryUpdate | undefined> {
  const data = await readFrom(file, 0, (await file.stat()).size, part);
  const next = wholeMark(data);
  if (data.length === 0 || next.hash === mark?.hash) return undefined;
  return { part, data, replaces: true, mark: next };
}

/** Whether the file has all that was captured, and perhaps more. */
async function goesOn(path: string, part: string, data: Uint8Array): Promise<boolean> {
  await using file = await openRegular(path).catch(() => undefined);
  if (!file) return false;
  const { size } = await file.stat();
  if (size < data.length || (size > data.length && !areLines(part))) return false;
  return Buffer.compare(await readFrom(file, 0, data.length, part), data) === 0;
}

/** Whole or not at all; a link in its place is replaced, not followed. */
async function replaceFile(path: string, data: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, data, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Undefined where there is none. A link is none: it may lead to something else. */
async function openRegular(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return undefined;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/** What is added meanwhile is not in it. */
async function readFrom(file: FileHandle, start: number, end: number, part: string): Promise<Buffer> {
  if (end - start > MAX_MEMORY_BYTES)
    throw new Error(`${part} has ${Math.round(end / 1024 / 1024)} MB, which is more than is kept`);
  const buffer = Buffer.alloc(end - start);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function endAt(file: FileHandle, length: number): Promise<string> {
  return endOf(await readFrom(file, Math.max(length - END_BYTES, 0), length, ""));
}

function areLines(part: string): boolean {
  return part.endsWith(".jsonl");
}

/** Up to the last line break: the agent may be in the middle of a line. */
function wholeLines(data: Buffer): Buffer {
  return data.subarray(0, data.lastIndexOf("\n") + 1);
}

function linesMark(data: Uint8Array): LinesMark {
  return { length: data.length, end: endOf(data) };
}

function wholeMark(data: Uint8Array): WholeMark {
  return { hash: createHash("sha256").update(data).digest("base64") };
}

function endOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(Math.max(data.length - END_BYTES, 0))).toString("base64");
}
