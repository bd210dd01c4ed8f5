/**
 * Characters that nobody sees and that change what a text seems to say: overrides of the direction, spaces without width,
 * tags, controls. What emoji, ordinary right-to-left text and other scripts need is not among them. Pure.
 */

/** A joiner or a non-joiner between letters that are never joined. */
const JOINERS = "(?<=[\\x20-\\x7e])[\\u200c\\u200d]|[\\u200c\\u200d](?=[\\x20-\\x7e])";
/**
 * Letters that only tell flags apart, and selectors that only tell forms of ideographs apart. A flag has up to seven: of a
 * longer run each letter would look back at all before it.
 */
const SELECTORS =
  "(?<!\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{0,6})[\\u{e0000}-\\u{e007f}]|(?<!\\p{Ideographic})[\\u{e0100}-\\u{e01ef}]";
const CONTROLS = "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]";
const FORMATS =
  "[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]";
const HIDDEN = new RegExp(`${CONTROLS}|${FORMATS}|${JOINERS}|${SELECTORS}`, "u");
const HIDDEN_RUNS = new RegExp(`((?:${HIDDEN.source}))\\1*`, "gu");

export interface VisiblePiece {
  text: string;
  /** Whether it stands for characters that nobody sees. */
  isHidden: boolean;
}

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Nobody reads more of a value. */
const MAX_SEARCHED = 1_000_000;
const MAX_FIELDS = 10_000;

/** Whether any text in it has some; of a very large value its beginning is searched. */
export function hasHiddenInside(value: unknown): boolean {
  const waiting = [value];
  let left = MAX_SEARCHED;
  for (let at = 0; at < waiting.length && left > 0; at += 1) {
    const next = waiting[at];
    if (typeof next === "string") {
      if (hasHidden(next.slice(0, left))) return true;
      left -= next.length;
    } else if (typeof next === "object" && next !== null) {
      waiting.push(...Object.entries(next).slice(0, MAX_FIELDS).flat());
    }
    left -= 1;
  }
  return false;
}

/** The text with each run of a hidden character as its name, such as `U+200B ×3`. */
export function visiblePieces(text: string): VisiblePiece[] {
  const pieces: VisiblePiece[] = [];
  let at = 0;
  for (const { 0: run, 1: character = "", index } of text.matchAll(HIDDEN_RUNS)) {
    if (index > at) pieces.push({ text: text.slice(at, index), isHidden: false });
    const count = run.length / character.length;
    pieces.push({ text: `${nameOf(character)}${count > 1 ? ` ×${count}` : ""}`, isHidden: true });
    at = index + run.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isHidden: false });
  return pieces;
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
