/** A line with the words that were searched for set apart. Pure. */

export interface MarkedPiece {
  text: string;
  isMatch: boolean;
}

/** Longer patterns are not looked for. */
const MAX_PATTERN_LENGTH = 200;
/** What a pattern may have around plain words: anchors, groups, borders of words. */
const AROUND = /\\[bB]|[()^$]/g;
const ESCAPED = /\\(\W)/g;
const SPECIAL = /[*+?[\]{}.\\]/;

/**
 * The pattern may be a regular expression: of its alternatives those that are plain words are found. It is never run,
 * since an agent wrote it.
 *
 * @example markedText("const a = b", "a|b") // const [a] = [b]
 */
export function markedText(line: string, pattern: string | undefined): MarkedPiece[] {
  const words = wordsOf(pattern ?? "");
  const lower = line.toLowerCase();
  // Some letters have another length in lower case.
  if (lower.length !== line.length) return [{ text: line, isMatch: false }];
  const pieces: MarkedPiece[] = [];
  let at = 0;
  while (at < line.length) {
    const next = nextMatch(lower, words, at);
    if (!next) break;
    if (next.start > at) pieces.push({ text: line.slice(at, next.start), isMatch: false });
    pieces.push({ text: line.slice(next.start, next.end), isMatch: true });
    at = next.end;
  }
  if (at < line.length) pieces.push({ text: line.slice(at), isMatch: false });
  return pieces;
}

function wordsOf(pattern: string): string[] {
  if (pattern.length > MAX_PATTERN_LENGTH) return [];
  return pattern
    .split("|")
    .map((word) => word.replace(AROUND, ""))
    .filter((word) => !SPECIAL.test(word.replace(ESCAPED, "")))
    .map((word) => word.replace(ESCAPED, "$1").toLowerCase())
    .filter((word) => word !== "");
}

function nextMatch(
  lower: string,
  words: readonly string[],
  from: number,
): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  for (const word of words) {
    const start = lower.indexOf(word, from);
    if (start >= 0 && (!found || start < found.start)) found = { start, end: start + word.length };
  }
  return found;
}
