/**
 * Names of files are bytes, and text in the port. Bytes that are no UTF-8 become lone surrogates, as in Python: they
 * survive JSON, and no two names become one.
 */
import { BYTES } from "./git.ts";

const FIRST_ESCAPE = 0xdc00;

/** From latin1 to text. */
export function textOfPath(path: string): string {
  if (isPlain(path)) return path;
  const bytes = Buffer.from(path, BYTES);
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    text +=
      length === 0 ? String.fromCharCode(FIRST_ESCAPE + bytes[at]!) : bytes.toString("utf8", at, at + length);
    at += length || 1;
  }
  return text;
}

/** From text to latin1. */
export function pathOfText(text: string): string {
  if (isPlain(text)) return text;
  let path = "";
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= FIRST_ESCAPE && code < FIRST_ESCAPE + 256) path += String.fromCharCode(code - FIRST_ESCAPE);
    else path += Buffer.from(character).toString(BYTES);
  }
  return path;
}

/** Whether it can be an argument of a program. */
export function isUtf8(path: string): boolean {
  return isPlain(path) || Buffer.from(Buffer.from(path, BYTES).toString()).toString(BYTES) === path;
}

function isPlain(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names may hold any byte but zero.
  return /^[\x01-\x7f]*$/.test(path);
}

/** How many bytes one valid character takes here, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length =
    first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length < 2) return length;
  const piece = bytes.subarray(at, at + length);
  return Buffer.from(piece.toString()).equals(piece) ? length : 0;
}

/** A path as latin1, as a word of git's command line. Only for what is UTF-8. */
export function asArgument(path: string): string {
  return Buffer.from(path, BYTES).toString();
}
