/** Compares requests without keeping their content. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/** Longer strings are hashed in pieces, with a turn of the event loop after each: a prompt may have many megabytes. */
const PIECE_LENGTH = 1024 * 1024;

/** Equal for equal requests. A request may hold secrets, so only this is stored. */
export async function requestDigest(value: unknown): Promise<string> {
  const hash = createHash("sha256");
  let text = "";
  for (const piece of canonicalPieces(value)) {
    text += piece;
    if (text.length < PIECE_LENGTH) continue;
    hash.update(text);
    text = "";
    await setImmediate();
  }
  return hash.update(text).digest("base64url");
}

/** JSON with sorted keys and without undefined values, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return [...canonicalPieces(value)].join("");
}

function* canonicalPieces(value: unknown): Generator<string, void> {
  if (typeof value === "string") return yield* quote(value);
  if (typeof value !== "object" || value === null) return yield JSON.stringify(value) ?? "null";
  let separator = "";
  if (Array.isArray(value)) {
    yield "[";
    for (const item of value) {
      yield separator;
      yield* canonicalPieces(item);
      separator = ",";
    }
    return yield "]";
  }
  yield "{";
  for (const [key, item] of Object.entries(sorted(value))) {
    if (item === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* canonicalPieces(item);
    separator = ",";
  }
  yield "}";
}

function sorted(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function* quote(text: string): Generator<string, void> {
  if (text.length <= PIECE_LENGTH) return yield JSON.stringify(text);
  yield '"';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PIECE_LENGTH, text.length);
    // The two halves of a character stay together: alone they would be escaped.
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end -= 1;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
