/** Reads the raw records that events name, and those between them. */
import type { RawRecord } from "../core/raw-record.ts";
import type { Store } from "../core/store.ts";

const PAGE = 500;

export interface RawRange {
  raws: Map<number, RawRecord>;
  /** Everything up to here was read; less than was wanted when it became too much. */
  last: number;
}

export async function readRawRange(
  store: Pick<Store, "readRaws">,
  session: string,
  wanted: readonly number[],
  maxBytes: number,
): Promise<RawRange> {
  const raws = new Map<number, RawRecord>();
  if (wanted.length === 0) return { raws, last: Number.POSITIVE_INFINITY };
  const end = wanted.reduce((a, b) => Math.max(a, b));
  let last = wanted.reduce((a, b) => Math.min(a, b)) - 1;
  let bytes = 0;
  while (last < end && bytes < maxBytes) {
    const page = await store.readRaws(session, last, Math.min(PAGE, end - last), maxBytes - bytes);
    if (page.raws.length === 0) return { raws, last: end };
    for (const raw of page.raws) {
      raws.set(raw.rawSeq, raw);
      last = raw.rawSeq;
      bytes += typeof raw.data === "string" ? raw.data.length : JSON.stringify(raw.data).length;
    }
  }
  return { raws, last };
}
