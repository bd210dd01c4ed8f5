/** How much of a list one answer carries. What one answer cannot carry is told by `hasMore` or a cursor. */
import type { TimeSlices } from "./time-slices.ts";

/** An answer ends here even when it has fewer entries than were asked for. A single entry that is larger comes alone. */
export const ANSWER_BYTES = 8 * 1024 * 1024;

/** Encodes all entries of a page that is small enough. Others have their turn in between. */
export async function encodeAll(entries: Iterable<unknown>, slices: TimeSlices): Promise<string[]> {
  const items: string[] = [];
  for (const entry of entries) {
    items.push(JSON.stringify(entry));
    await slices.pause();
  }
  return items;
}

/**
 * Encodes entries one by one until they are too much, but never none when there are some. Others have their turn in
 * between.
 */
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
