/** Parses incomplete JSON by closing it where it was cut. */

/** Undefined when nothing can be read yet, or when it is not JSON. */
export function parsePartialJson(text: string): unknown {
  return tryParse(text) ?? tryParse(repair(text));
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/;
const SPACE = /\s/;
const LITERALS = ["true", "false", "null"];

/** The longest prefix that can be closed, with its closing. An error in the middle stays an error. */
function repair(text: string): string {
  const closers: string[] = [];
  /** Up to here the text is complete but for the closing brackets. */
  let kept = 0;
  let isKey = false;
  const closed = (end: number, completion = "") =>
    text.slice(0, end) + completion + closers.toReversed().join("");

  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === "{" || character === "[") {
      closers.push(character === "{" ? "}" : "]");
      isKey = character === "{";
      kept = at + 1;
    } else if (character === "}" || character === "]") {
      closers.pop();
      kept = at + 1;
    } else if (character === ",") {
      isKey = closers.at(-1) === "}";
    } else if (character === ":") {
      isKey = false;
    } else if (character === '"') {
      const end = endOfString(text, at + 1);
      if (text[end] !== '"') return isKey ? closed(kept) : closed(end, '"');
      at = end;
      if (!isKey) kept = end + 1;
    } else if (!SPACE.test(character)) {
      const token = tokenAt(text, at);
      if (at + token.length === text.length) {
        const literal = LITERALS.find((word) => word.startsWith(token));
        if (literal !== undefined) return closed(text.length, literal.slice(token.length));
        const number = NUMBER.exec(token);
        return closed(number ? at + number[0].length : kept);
      }
      at += token.length - 1;
      kept = at + 1;
    }
  }
  return closed(kept);
}

function tokenAt(text: string, at: number): string {
  const pattern = /[^\s,:{}[\]"]+/y;
  pattern.lastIndex = at;
  return pattern.exec(text)![0];
}

/** The end of a string: its closing quote, or else the end of its last complete character. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '"') {
    const length = text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2;
    if (at + length > text.length) return at;
    at += length;
  }
  return at;
}
