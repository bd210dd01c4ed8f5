/** Reads which files an index of git has, without git. */
import { open, readFile } from "node:fs/promises";
import type { FileVersion } from "../core/workspace.ts";
import { BYTES } from "./git.ts";

const HEADER_BYTES = 12;
/** What stands before the name of an entry: times, numbers and sizes (40), the id (20), flags (2). */
const ENTRY_BYTES = 62;
const TIME_BYTES = 8;
const MODE_AT = 24;
const ID_AT = 40;
const ID_BYTES = 20;

export interface IndexEntry extends FileVersion {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** By path, as latin1. Undefined if it is damaged, or of a version that git writes only when it is told to. */
export async function readIndex(path: string): Promise<ReadonlyMap<string, IndexEntry> | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (!bytes || bytes.length < HEADER_BYTES) return undefined;
  if (bytes.toString(BYTES, 0, 4) !== "DIRC" || bytes.readUInt32BE(4) !== 2) return undefined;
  const count = bytes.readUInt32BE(8);
  const entries = new Map<string, IndexEntry>();
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry += 1) {
    const nameAt = at + ENTRY_BYTES;
    const end = bytes.indexOf(0, nameAt);
    if (end === -1 || nameAt > bytes.length) return undefined;
    const mode = bytes.readUInt32BE(at + MODE_AT).toString(8);
    const id = bytes.toString("hex", at + ID_AT, at + ID_AT + ID_BYTES);
    const [ctimeNs, mtimeNs] = [readTime(bytes, at), readTime(bytes, at + TIME_BYTES)];
    entries.set(bytes.toString(BYTES, nameAt, end), { mode, id, mtimeNs, ctimeNs });
    // Entries are filled up with one to eight zeros.
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  return entries.size === count ? entries : undefined;
}

/** Seconds and nanoseconds. */
function readTime(bytes: Buffer, at: number): bigint {
  return BigInt(bytes.readUInt32BE(at)) * 1_000_000_000n + BigInt(bytes.readUInt32BE(at + 4));
}

export async function countEntries(index: string): Promise<number> {
  try {
    await using file = await open(index);
    const header = Buffer.alloc(HEADER_BYTES);
    const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
    return bytesRead === HEADER_BYTES ? header.readUInt32BE(8) : 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return 0;
  }
}
