/** How many columns of a terminal a text takes: the one measure for whatever is broken, padded or cut. */
import { stripVTControlCharacters } from "node:util";

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WITHOUT_WIDTH = /\p{M}|\u200d/u;
const TAB = 8;

/** Of one line. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += widthAt(character, width);
  return width;
}

/** At least so wide, with spaces at the end. */
export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** At most so wide, with a mark where something is cut off. For text without colours. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let column = 0;
  for (const character of text) {
    column += widthAt(character, column);
    if (column > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

function widthAt(character: string, column: number): number {
  if (character === "\t") return TAB - (column % TAB);
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
