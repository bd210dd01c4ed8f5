/** Cuts out of a text the place where most of the words stand, and marks them. Equally for every store. */
import type { SnippetPiece } from "../core/store.ts";
import { searchWords } from "./search-words.ts";

/** How much is shown, and how much of it before the first word, in characters. */
const LENGTH = 180;
const LEAD = 40;

/** A word of a text as it stands there. Marks belong to the letter before them. */
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

interface Match {
  /** Which of the words it is. */
  word: number;
  start: number;
  end: number;
}

/**
 * @param words As `searchWords` gives them. The last one is also found as the beginning of a longer one.
 *
 * @example makeSnippet("A zebra, then", ["zeb"]) // [{ text: "A " }, { text: "zebra", match: true }, { text: ", then" }]
 */
export function makeSnippet(text: string, words: readonly string[]): SnippetPiece[] {
  const matches = findMatches(text, words);
  const first = densest(matches);
  const start = first === undefined ? 0 : wordBoundary(text, Math.max(0, first.start - LEAD), first.start);
  const end = Math.min(text.length, start + LENGTH);
  const pieces: SnippetPiece[] = [];
  const add = (from: number, to: number, match?: true) => {
    const shown = text.slice(from, to).toWellFormed().replace(/\s+/g, " ");
    if (shown !== "") pieces.push({ text: shown, ...(match && { match }) });
  };
  if (start > 0) pieces.push({ text: "…" });
  let at = start;
  for (const match of matches) {
    if (match.start < at || match.start >= end) continue;
    add(at, match.start);
    add(match.start, Math.min(match.end, end), true);
    at = Math.min(match.end, end);
  }
  add(at, end);
  if (end < text.length) pieces.push({ text: "…" });
  return joined(pieces);
}

function findMatches(text: string, words: readonly string[]): Match[] {
  const last = words.length - 1;
  const matches: Match[] = [];
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const folded = searchWords(raw);
    const word = words.findIndex((wanted, place) =>
      folded.some((one) => one === wanted || (place === last && one.startsWith(wanted))),
    );
    if (word >= 0) matches.push({ word, start: index, end: index + raw.length });
  }
  return matches;
}

/** The first match after which most of the words stand within what is shown. */
function densest(matches: readonly Match[]): Match | undefined {
  let best: Match | undefined;
  let most = 0;
  for (const [place, match] of matches.entries()) {
    const found = new Set<number>();
    for (let next = place; next < matches.length; next += 1) {
      const { word, end } = matches[next]!;
      if (end > match.start + LENGTH - LEAD) break;
      found.add(word);
    }
    if (best === undefined || found.size > most) [best, most] = [match, found.size];
  }
  return best;
}

/** The beginning of a word between two places, or the first of them. */
function wordBoundary(text: string, from: number, to: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, to).search(/\s\S/);
  return space < 0 ? from : from + space + 1;
}

/** What stands side by side without a mark is one piece. */
function joined(pieces: readonly SnippetPiece[]): SnippetPiece[] {
  const result: SnippetPiece[] = [];
  for (const piece of pieces) {
    const before = result.at(-1);
    if (before && !before.match && !piece.match) before.text += piece.text;
    else result.push({ ...piece });
  }
  return result;
}
