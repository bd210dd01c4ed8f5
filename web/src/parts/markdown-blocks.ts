/**
 * Cuts Markdown that is being written into blocks that mean the same by themselves, so that only the last is read again
 * with each word. Cuts where it is certain: after an empty line, before a line that begins no list, quote or table. Pure.
 */
import { fenceAfterLine } from "./fence-after-line.ts";

/** Footnotes, and links whose addresses stand elsewhere: they need the whole. */
const HAS_REFERENCES = /\[\^[^\]\s]{1,200}\]|^ {0,3}\[[^\]\n]{1,999}\]:/m;
/** HTML that an empty line does not end. */
const LONG_HTML = /^ {0,3}<(?:script|pre|style|textarea|!|\?)/i;

export function markdownBlocks(text: string): string[] {
  if (HAS_REFERENCES.test(text)) return [text];
  const blocks: string[] = [];
  let start = 0;
  let fence = "";
  let isAfterBlank = false;
  for (let at = 0; at < text.length; ) {
    if (isAfterBlank && fence === "" && isPlainStart(text[at]!)) {
      blocks.push(text.slice(start, at));
      start = at;
    }
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, end);
    if (fence === "" && LONG_HTML.test(line)) break;
    fence = fenceAfterLine(fence, line);
    isAfterBlank = line.trim() === "";
    at = end;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}

/** Not an item of a list or the inside of one. */
export function isPlainStart(character: string): boolean {
  return !/[\s\-+*>|\d]/.test(character);
}
