/**
 * Checksums of stored rows, which reveal a flipped bit when the row is read. Each covers the row's identity, so that a
 * damaged index or page cannot pass one row off as another.
 */
import { crc32 } from "node:zlib";
import { DamagedDataError } from "../damaged-data.ts";

export type Checksum = number | null;

type Value = string | number | null | Uint8Array;

/**
 * The checksum of short values of a row. Joined as text and not as JSON, which writes lone surrogates differently from
 * SQLite.
 */
export function rowChecksum(values: readonly Value[]): number {
  let text = "";
  for (const value of values) text += `${typeof value === "string" ? "'" : ""}${value ?? ""}\u001f`;
  return crc32(text);
}

/** The checksum of one long value and its identity. */
export function contentChecksum(content: string | Uint8Array, place: string): number {
  return crc32(content, crc32(`${typeof content} ${place}`));
}

/** Throws if a long value is not what was stored here, or has another type. */
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
 * Throws if the stored checksum is missing or differs. `what` is the subject of the sentence. Most rows of
 * other tables, on a misplaced page, have none.
 */
export function assertChecksum(stored: Checksum, what: string, actual: () => number): void {
  if (stored !== actual()) throw new DamagedDataError(`${what} does not match its checksum`);
}
