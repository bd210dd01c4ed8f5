/** The raw records of an entry of the log, each with what its translator left unread. */
import type { RawRecord } from "../../core/raw-record.ts";
import type { ReadUnread } from "../../core/read-unread.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { readRawRange } from "../answers/raw-range.ts";
import type { LogEntry } from "./find-entry.ts";
import { MAX_TEXT_LENGTH } from "./text-limit.ts";

/** Of those that no event came from. */
const MAX_RECORDS = 50;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * So many records before are read again, so that the translator knows what went before: in a longer conversation it begins
 * in the middle.
 */
const MAX_READ_AGAIN = 2000;

export interface XrayRecord extends RawRecord {
  unread?: string[];
  leftOut?: number;
}

interface Reads {
  store: Pick<Store, "readRaws">;
  slices: TimeSlices;
}

export async function readEntryRecords(
  reads: Reads,
  session: string,
  { raw, rawBefore }: LogEntry,
  readUnread: ReadUnread | undefined,
): Promise<{ raw: XrayRecord[]; rawLeftOut?: number; unread?: string[] }> {
  if (raw === undefined) return { raw: [] };
  // A record that several events came from, with others in between, has been shown with the first of them.
  const first = Math.min(raw, Math.max(rawBefore + 1, raw - MAX_RECORDS + 1));
  const names = readUnread && (await unreadNames(reads, session, { first, last: raw }, readUnread));
  const { raws } = await readRawRange(reads, session, { first, last: raw }, MAX_BYTES);
  const records = [...raws.values()].map((record) => ({
    ...cut(record),
    ...(names && { unread: names.get(record.rawSeq) ?? [] }),
  }));
  const leftOut = first - rawBefore - 1;
  return {
    raw: records,
    ...(leftOut > 0 && { rawLeftOut: leftOut }),
    ...(names && { unread: [...new Set([...names.values()].flat())] }),
  };
}

async function unreadNames(
  { store, slices }: Reads,
  session: string,
  wanted: { first: number; last: number },
  readUnread: ReadUnread,
): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>();
  let bytes = 0;
  for (let cursor = Math.max(0, wanted.first - MAX_READ_AGAIN); cursor < wanted.last; ) {
    const { raws } = await store.readRaws(session, cursor, Math.min(500, wanted.last - cursor), 512 * 1024);
    if (raws.length === 0) break;
    for (const record of raws) {
      const unread = readUnread(record);
      if (record.rawSeq >= wanted.first && unread.length > 0) names.set(record.rawSeq, [...unread]);
      bytes += typeof record.data === "string" ? record.data.length : 0;
      await slices.pause();
    }
    cursor = raws.at(-1)!.rawSeq;
    // Very long lines are not all read again.
    if (bytes > MAX_BYTES && cursor < wanted.first - 1) cursor = wanted.first - 1;
  }
  return names;
}

function cut(record: RawRecord): XrayRecord {
  const { data } = record;
  if (typeof data !== "string" || data.length <= MAX_TEXT_LENGTH) return record;
  return { ...record, data: data.slice(0, MAX_TEXT_LENGTH), leftOut: data.length - MAX_TEXT_LENGTH };
}
