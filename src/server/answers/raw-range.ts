/** Reads a range of raw records, as many as fit. */
import type { RawRecord } from "../../core/raw-record.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";

const PAGE = 500;
const PAGE_BYTES = 512 * 1024;

export interface RawRange {
  raws: Map<number, RawRecord>;
  /** Everything up to here was read: less than requested if it became too large. */
  last: number;
}

export async function readRawRange(
  { store, slices }: { store: Pick<Store, "readRaws">; slices: TimeSlices },
  session: string,
  wanted: { first: number; last: number },
  maxBytes: number,
): Promise<RawRange> {
  const raws = new Map<number, RawRecord>();
  let last = wanted.first - 1;
  let bytes = 0;
  while (last < wanted.last && bytes < maxBytes) {
    const limit = Math.min(PAGE, wanted.last - last);
    const page = await store.readRaws(session, last, limit, Math.min(PAGE_BYTES, maxBytes - bytes));
    if (page.raws.length === 0) return { raws, last: wanted.last };
    for (const raw of page.raws) {
      raws.set(raw.rawSeq, raw);
      last = raw.rawSeq;
      bytes += typeof raw.data === "string" ? raw.data.length : JSON.stringify(raw.data).length;
    }
    await slices.pause();
  }
  return { raws, last };
}
