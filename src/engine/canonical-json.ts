/** Telling equal requests from different ones without keeping what they said. */
import { createHash } from "node:crypto";

/** JSON with sorted keys and without undefined values, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** The same for equal requests; a request may hold secrets, so only this is stored. */
export function requestDigest(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}
