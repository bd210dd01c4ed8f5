/** The JSON of a value in pieces, for values whose text would take too long to write at once. */
import { splitText } from "./split-text.ts";

/** Written in less than a few milliseconds. */
const PIECE_LENGTH = 256 * 1024;

/** What `JSON.stringify` gives, in pieces. Only for what came from JSON: it knows no `toJSON`. */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (typeof value === "string") return yield* quotedPieces(value);
  if (typeof value !== "object" || value === null || !isLongJson(value))
    return yield JSON.stringify(value) ?? "null";
  let separator = "";
  if (Array.isArray(value)) {
    yield "[";
    for (const item of value) {
      if (separator !== "") yield separator;
      yield* jsonPieces(item);
      separator = ",";
    }
    return yield "]";
  }
  yield "{";
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    yield `${separator}${JSON.stringify(key)}:`;
    yield* jsonPieces(item);
    separator = ",";
  }
  yield "}";
}

/** The pieces of a string's JSON. */
export function* quotedPieces(text: string): Generator<string, void> {
  if (text.length <= PIECE_LENGTH) return yield JSON.stringify(text);
  yield '"';
  for (const piece of splitText(text, PIECE_LENGTH)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Looks at no more of the value than it takes to know. */
export function isLongJson(value: object): boolean {
  let left = PIECE_LENGTH;
  const fits = (item: unknown): boolean => {
    if (typeof item === "string") left -= item.length;
    else if (typeof item !== "object" || item === null) left -= 8;
    else if (Array.isArray(item)) return item.every(fits);
    else {
      for (const key in item) {
        left -= key.length;
        if (!fits((item as Record<string, unknown>)[key])) return false;
      }
    }
    return left > 0;
  };
  return !fits(value);
}
