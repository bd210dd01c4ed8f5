/**
 * Raw records as lines. A large record is kept out of line: its place is held by a line without `data`, and the data
 * lies packed in `raw_blob`, so that pages and blocks stay small whatever an agent prints.
 */
import type { RawRecord } from "../../core/raw-record.ts";
import { pack } from "../codec.ts";

const INLINE_LIMIT = 64 * 1024;

/** The line of a record whose data is out of line. */
export interface RawStub extends Omit<RawRecord, "data"> {
  /** How long the data is as JSON. */
  dataBytes: number;
}

export type RawLine = RawRecord | RawStub;

export interface RawBlob {
  rawSeq: number;
  data: Uint8Array;
}

export interface PackedRaws {
  text: string;
  blobs: RawBlob[];
}

export function isStub(line: RawLine): line is RawStub {
  return "dataBytes" in line;
}

export async function packRaws(raws: readonly RawRecord[]): Promise<PackedRaws> {
  const lines: string[] = [];
  const blobs: RawBlob[] = [];
  for (const raw of raws) {
    const line = JSON.stringify(raw);
    if (line.length <= INLINE_LIMIT) {
      lines.push(line);
      continue;
    }
    const { data, ...rest } = raw;
    // As JSON, so that text and process records come back the same way.
    const json = JSON.stringify(data);
    const stub: RawStub = { ...rest, dataBytes: Buffer.byteLength(json) };
    lines.push(JSON.stringify(stub));
    blobs.push({ rawSeq: raw.rawSeq, data: await pack(json) });
  }
  return { text: lines.join("\n"), blobs };
}
