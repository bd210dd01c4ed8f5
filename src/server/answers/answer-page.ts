/** Limits the size of one page of a list. `hasMore` or a cursor says that there is more. */
import { jsonPieces } from "../../core/long-json.ts";
import type { TimeSlices } from "../../core/time-slices.ts";

/**
 * The JSON of something that may be very long, without blocking the event loop. It is written right after the pause and
 * not a promise later: whoever waited for the same thing would have passed the pause too.
 */
export async function encodeLong(value: unknown, slices: TimeSlices): Promise<string> {
  let json = "";
  for (const piece of jsonPieces(value)) {
    json += piece;
    const pause = slices.pause();
    if (pause) await pause;
  }
  return json;
}

/** A page ends here even with fewer entries than requested. A single larger entry comes alone. */
export const ANSWER_BYTES = 8 * 1024 * 1024;

/** Encodes all entries of a page, without blocking the event loop. */
export async function encodeAll(entries: Iterable<unknown>, slices: TimeSlices): Promise<string[]> {
  const items: string[] = [];
  for (const entry of entries) {
    items.push(JSON.stringify(entry));
    await slices.pause();
  }
  return items;
}

/** Encodes entries up to the limit, at least one if there is any, without blocking the event loop. */
export async function encodePage<Entry>(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  slices: TimeSlices,
  encode: (entry: Entry) => string | Promise<string> = (entry) => JSON.stringify(entry),
  maxLength = ANSWER_BYTES,
): Promise<{ items: string[]; isCut: boolean }> {
  const items: string[] = [];
  let length = 0;
  for await (const entry of entries) {
    const item = await encode(entry);
    length += item.length;
    if (length > maxLength && items.length > 0) return { items, isCut: true };
    items.push(item);
    await slices.pause();
  }
  return { items, isCut: false };
}
