/** The cursor of a page of usage: the sort key of its last group. */
import { invalidField } from "../../protocol/refusals.ts";

export function encodeUsageCursor(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** @param length How many parts a sort key of the query has. */
export function decodeUsageCursor(cursor: string, length: number): string[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const fits = Array.isArray(place) && place.length === length;
    if (fits && place.every((value) => typeof value === "string")) return place;
  } catch {
    // Refused below.
  }
  throw invalidField(
    "cursor",
    "is not one that a former page gave",
    "The cursor is not one that a former page of the same query gave. Leave it out to begin with the first page.",
  );
}
