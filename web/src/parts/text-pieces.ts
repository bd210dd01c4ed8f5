/**
 * Cuts a long text into pieces of bounded size, where a reader would cut it: between paragraphs, else between lines.
 * While a text grows, its pieces but the last stay as they are, so that only the last is rendered again. Pure.
 */
import { fenceAfterLine, fenceMark } from "./fence-after-line.ts";
import { isPlainStart } from "./markdown-blocks.ts";

export interface TextPiece {
  /** Where in the whole it begins. */
  start: number;
  text: string;
  /** What to render as Markdown: the same, with code that goes across the cut opened and closed again. */
  markdown: string;
}

export interface TextPieces {
  /** All but the last are final. */
  pieces: readonly TextPiece[];
  text: string;
  /** Where the last piece begins, and the fence that is open there. */
  lastStart: number;
  fence: string;
}

/** Where the search for a good cut begins, and where the text is cut in any case. */
const WANTED = { characters: 8_192, lines: 256 };
const MOST = { characters: 16_000, lines: 500 };

export const NO_PIECES: TextPieces = { pieces: [], text: "", lastStart: 0, fence: "" };

/** The pieces of `text`. Those of `before` are reused if `text` continues it. */
export function cutText(text: string, before: TextPieces = NO_PIECES): TextPieces {
  if (text === before.text) return before;
  const goesOn = before.lastStart > 0 && text.startsWith(before.text);
  const pieces = goesOn ? before.pieces.slice(0, -1) : [];
  let { lastStart, fence } = goesOn ? before : NO_PIECES;
  while (true) {
    const cut = findCut(text, lastStart, fence);
    pieces.push(pieceOf(text, lastStart, cut, fence));
    if (cut.isLast) return { pieces, text, lastStart, fence };
    lastStart = cut.end;
    fence = cut.fence;
  }
}

function pieceOf(
  whole: string,
  start: number,
  { end, fence: fenceAfter }: Cut,
  fenceBefore: string,
): TextPiece {
  const text = whole.slice(start, end);
  const opening = fenceBefore === "" ? "" : `${fenceBefore}\n`;
  const closing = fenceAfter === "" ? "" : `${text.endsWith("\n") ? "" : "\n"}${fenceMark(fenceAfter)}`;
  return { start, text, markdown: `${opening}${text}${closing}` };
}

interface Cut {
  end: number;
  /** The opening line of the code that goes across the cut. */
  fence: string;
  isLast: boolean;
}

function findCut(text: string, start: number, fenceBefore: string): Cut {
  const last = { end: text.length, fence: "", isLast: true };
  if (text.length - start <= WANTED.characters && !hasManyLines(text, start)) return last;
  let fence = fenceBefore;
  let isAfterBlank = false;
  let lines = 0;
  let at = start;
  while (at < text.length) {
    const wants = at - start >= WANTED.characters || lines >= WANTED.lines;
    if (wants && isAfterBlank && fence === "" && isPlainStart(text[at]!))
      return { end: at, fence, isLast: false };
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    if (end - start > MOST.characters || lines >= MOST.lines) {
      if (at > start) return { end: at, fence, isLast: false };
      return { end: betweenCharacters(text, start + MOST.characters), fence, isLast: false };
    }
    const line = text.slice(at, end);
    fence = fenceAfterLine(fence, line);
    isAfterBlank = line.trim() === "";
    lines += 1;
    at = end;
  }
  return last;
}

function hasManyLines(text: string, start: number): boolean {
  let lines = 0;
  for (let at = text.indexOf("\n", start); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines += 1;
    if (lines >= WANTED.lines) return true;
  }
  return false;
}

/** Never between the halves of one character. */
function betweenCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
