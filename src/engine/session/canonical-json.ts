/** Compares requests without keeping their content. */
import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { quotedPieces } from "../../core/long-json.ts";

/** After each of them the event loop turns: a prompt may have many megabytes. */
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
  if (typeof value === "string") return yield* quotedPieces(value);
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
