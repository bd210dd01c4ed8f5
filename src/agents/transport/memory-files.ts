/**
 * The memory of agents that keep a conversation in files below one directory: lines that are only added to (`.jsonl`), or
 * small files that are written anew. The names of parts are their paths.
 */
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type AdapterMemory,
  type Conversation,
  MAX_MEMORY_BYTES,
  type MemoryComparison,
  type MemoryMarks,
  type MemoryUpdate,
} from "../../core/adapter-memory.ts";
import { openRegularFile } from "../../files/regular-file.ts";
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

const LINE_BREAK = 10;

const DRAFT_END = ".new";
/** What follows the name of the file. */
const DRAFT_NAME = /^[\da-f-]{36}\.new$/;
/** A draft that is older was left by a process that died. */
const MAX_DRAFT_MS = 60_000;

export function memoryOfFiles(files: ConversationFiles): AdapterMemory {
  return {
    async capture(conversation, marks) {
      const root = files.root(conversation);
      if (root === undefined) return [];
      const updates: MemoryUpdate[] = [];
      let room = MAX_MEMORY_BYTES;
      for (const part of await findParts(root, files.patterns(conversation), marks)) {
        const update = await readUpdate(join(root, part), part, marks.get(part), room);
        if (!update) continue;
        room -= update.data.length;
        updates.push(update);
      }
      return updates;
    },

    async restore(conversation, parts, beforeWrite, compare = async () => "other") {
      const root = files.root(conversation);
      if (root === undefined) return new Map();
      const patterns = files.patterns(conversation);
      const own = [...parts].filter(([part]) =>
        patterns.some(({ pattern }) => matchesPattern(part, pattern)),
      );
      const outdated: typeof own = [];
      const marks = new Map<string, unknown>();
      for (const [part, data] of own) {
        const { is, here } = await compareFile(join(root, part), part, data, compare);
        if (is !== "own") marks.set(part, markOf(part, here));
        if (is === "other") outdated.push([part, data]);
      }
      if (outdated.length > 0) {
        await beforeWrite();
        await files.unload?.(conversation);
      }
      for (const [part, data] of outdated) await replaceFile(join(root, part), data);
      return marks;
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
async function readUpdate(
  path: string,
  part: string,
  mark: unknown,
  room: number,
): Promise<MemoryUpdate | undefined> {
  await using file = await openRegular(path);
  if (!file) return undefined;
  // Awaited here: the file is closed afterwards.
  return areLines(part)
    ? await readLines(file, part, mark as LinesMark | undefined, room)
    : await readWhole(file, part, mark as WholeMark | undefined, room);
}

async function readLines(
  file: FileHandle,
  part: string,
  mark: LinesMark | undefined,
  room: number,
): Promise<MemoryUpdate | undefined> {
  const { size } = await file.stat();
  const isKnown = mark && size >= mark.length && (await endAt(file, mark.length)) === mark.end;
  const start = isKnown ? mark.length : 0;
  const data = wholeLines(await readFrom(file, start, size, part, room));
  if (data.length === 0) return undefined;
  if (!isKnown) return { part, data, replaces: true, mark: linesMark(data) };
  const end = endOf(Buffer.concat([Buffer.from(mark.end, "base64"), data]));
  return { part, data, mark: { length: start + data.length, end } satisfies LinesMark };
}

async function readWhole(
  file: FileHandle,
  part: string,
  mark: WholeMark | undefined,
  room: number,
): Promise<MemoryUpdate | undefined> {
  const data = await readFrom(file, 0, (await file.stat()).size, part, room);
  const next = wholeMark(data);
  if (data.length === 0 || next.hash === mark?.hash) return undefined;
  return { part, data, replaces: true, mark: next };
}

/** Compares what was captured with the file, which may have more lines. `here` is what the agent then has of it. */
async function compareFile(
  path: string,
  part: string,
  data: Uint8Array,
  compare: (part: string, here: Uint8Array) => Promise<MemoryComparison>,
): Promise<{ is: MemoryComparison; here: Uint8Array }> {
  await using file = await openRegular(path).catch(() => undefined);
  if (!file) return { is: "other", here: data };
  const { size } = await file.stat();
  const all = await readFrom(file, 0, Math.min(size, MAX_MEMORY_BYTES), part);
  const here = areLines(part) ? firstLines(all, countLines(data)) : all;
  if (here && Buffer.compare(here, data) === 0) return { is: "same", here };
  const is = here ? await compare(part, here) : "other";
  return { is, here: is === "same" && here ? here : data };
}

function countLines(data: Uint8Array): number {
  let count = 0;
  for (let at = data.indexOf(LINE_BREAK); at >= 0; at = data.indexOf(LINE_BREAK, at + 1)) count += 1;
  return count;
}

/** Undefined where there are fewer. */
function firstLines(data: Buffer, count: number): Buffer | undefined {
  let end = 0;
  for (let lines = 0; lines < count; lines += 1) {
    end = data.indexOf(LINE_BREAK, end) + 1;
    if (end === 0) return undefined;
  }
  return data.subarray(0, end);
}

/** Whole or not at all, also after a crash; a link in its place is replaced, not followed. */
async function replaceFile(path: string, data: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}${DRAFT_END}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await removeOldDrafts(path);
  try {
    await writeFile(draft, data, { mode: 0o600, flag: "wx", flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Those of a process that died: they have secrets, and nobody looks for them. */
async function removeOldDrafts(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(start) || !DRAFT_NAME.test(name.slice(start.length))) continue;
    const draft = join(dirname(path), name);
    const found = await stat(draft).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > MAX_DRAFT_MS) await rm(draft, { force: true });
  }
}

/** Undefined where there is none. A link, a pipe or a directory is none. */
async function openRegular(path: string): Promise<FileHandle | undefined> {
  try {
    return await openRegularFile(path, constants.O_RDONLY);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // An error of the reader itself has no code.
    if (code === undefined || code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** What is added meanwhile is not in it. */
async function readFrom(
  file: FileHandle,
  start: number,
  end: number,
  part: string,
  room = MAX_MEMORY_BYTES,
): Promise<Buffer> {
  if (end - start > room)
    throw new Error(`with the ${Math.round(end / 1024 / 1024)} MB of ${part} it has more than is kept`);
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

function markOf(part: string, data: Uint8Array): LinesMark | WholeMark {
  return areLines(part) ? linesMark(data) : wholeMark(data);
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
