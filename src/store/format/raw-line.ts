/**
 * Raw records as lines. What was said to or by an agent is kept as it went over the wire, behind a short head; only
 * what does not fit on a line is JSON, like the records of processes. A large record is kept out of line: its place is
 * held by a line without `data`, and the data lies packed in `raw_blob`, so that pages and blocks stay small whatever
 * an agent prints.
 */
import type { RawRecord } from "../../core/raw-record.ts";
import { type Packed, pack } from "../codec.ts";
import { parseStored } from "../damaged-data.ts";
import { encodeLong } from "../encode-long.ts";

const INLINE_LIMIT = 64 * 1024;

/** The line of a record whose data is out of line. */
export interface RawStub extends Omit<RawRecord, "data"> {
  /** How long the data is as JSON. */
  dataBytes: number;
}

export type RawLine = RawRecord | RawStub;

export interface RawBlob {
  rawSeq: number;
  packed: Packed;
}

export interface PackedRaws {
  lines: string[];
  blobs: RawBlob[];
}

export function isStub(line: RawLine): line is RawStub {
  return "dataBytes" in line;
}

/** What JSON would escape: it would end a line, or not come back from a database. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNFIT = /[\u0000-\u001f]/;

/** The time is below zero where the clock stands before 1970. */
const HEAD = /^(in|out) (\d+) (\d+) (-?\d+) /;

export async function packRaws(raws: readonly RawRecord[]): Promise<PackedRaws> {
  const lines: string[] = [];
  const blobs: RawBlob[] = [];
  for (const raw of raws) {
    const isLong = typeof raw.data === "string" && raw.data.length > INLINE_LIMIT;
    const line = isLong ? undefined : writeRawLine(raw);
    if (line !== undefined && line.length <= INLINE_LIMIT) {
      lines.push(line);
      continue;
    }
    // As JSON, so that text and process records come back the same way.
    const { data, ...rest } = raw;
    const json = await encodeLong(data);
    const stub: RawStub = { ...rest, dataBytes: json.length };
    lines.push(JSON.stringify(stub));
    blobs.push({ rawSeq: raw.rawSeq, packed: await pack(json) });
  }
  return { lines, blobs };
}

/** Throws when it is not such a line. */
export function readRawLine(line: string): RawLine {
  const head = HEAD.exec(line);
  if (!head) return parseStored<RawLine>(line, "a raw record");
  return {
    rawSeq: Number(head[2]),
    direction: head[1] as "in" | "out",
    generation: Number(head[3]),
    at: Number(head[4]),
    data: line.slice(head[0].length),
  };
}

function writeRawLine(raw: RawRecord): string {
  const { rawSeq, direction, generation, at, data } = raw;
  if (typeof data !== "string" || UNFIT.test(data) || !data.isWellFormed()) return JSON.stringify(raw);
  return `${direction} ${rawSeq} ${generation} ${at} ${data}`;
}
