/**
 * Checksums of stored rows: a bit that flipped on the disk is found when the row is read. Each covers which row it is,
 * so that a damaged index or page cannot pass one row off as another.
 */
import { crc32 } from "node:zlib";
import { DamagedDataError } from "../damaged-data.ts";

export type Checksum = number | null;

type Value = string | number | null | Uint8Array;

/** Of the values of a row that are short. Joined as text and not as JSON: that would write lone surrogates otherwise than SQLite. */
export function rowChecksum(values: readonly Value[]): number {
  let text = "";
  for (const value of values) text += `${typeof value === "string" ? "'" : ""}${value ?? ""}\u001f`;
  return crc32(text);
}

/** Of one long value, and of what says where it belongs. */
export function contentChecksum(content: string | Uint8Array, place: string): number {
  return crc32(content, crc32(`${typeof content} ${place}`));
}

/** Throws when a long value is not what was stored at this place, also when it is of another type. */
export function assertContent(
  stored: Checksum,
  what: string,
  content: string | Uint8Array,
  type: "text" | "blob",
  place: string,
): void {
  const isOfType = type === "text" ? typeof content === "string" : content instanceof Uint8Array;
  if (!isOfType) throw new DamagedDataError(`${what} is no ${type}`);
  assertChecksum(stored, what, () => contentChecksum(content, place));
}

/**
 * Throws when the stored checksum is missing or another one. `what` is the subject of the sentence. A row of another
 * table, on a page that is out of its place, has none.
 */
export function assertChecksum(stored: Checksum, what: string, actual: () => number): void {
  if (stored !== actual()) throw new DamagedDataError(`${what} does not match its checksum`);
}
