/**
 * JSON of an agent → a value, unless it is so deep or has so many members that reading it, or whatever is done with it
 * later, would hold up everybody else.
 */

/** Levels of objects and lists in each other. */
export const MAX_JSON_DEPTH = 200;
/** Members of all objects together: objects are what costs. */
export const MAX_JSON_MEMBERS = 200_000;
/** Commas, which is about the number of all values. */
const MAX_JSON_VALUES = 1_000_000;

/** A shorter text cannot be deep enough to matter. */
const HARMLESS_LENGTH = 4096;
/** A shorter one cannot have too many members: it is parsed, which is fast, and only its depth is looked at. */
const SOON_READ_LENGTH = 512 * 1024;

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

export class JsonTooComplex extends Error {
  override readonly name = "JsonTooComplex";
}

/** Throws `JsonTooComplex`, or what `JSON.parse` throws. */
export function parseJson(text: string): unknown {
  if (text.length <= HARMLESS_LENGTH) return JSON.parse(text);
  if (text.length > SOON_READ_LENGTH) assertSimple(text);
  const value: unknown = JSON.parse(text);
  if (text.length <= SOON_READ_LENGTH && isDeeper(value, MAX_JSON_DEPTH)) throw tooDeep();
  return value;
}

/** Goes no further down than to the limit. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === "object" && isDeeper(item, levels - 1)) return true;
  }
  return false;
}

function tooDeep(): JsonTooComplex {
  return new JsonTooComplex(`more than ${MAX_JSON_DEPTH} levels deep`);
}

/** Scans the text before it is parsed. It only tells strings from the rest; the parser refuses what is not JSON. */
function assertSimple(text: string): void {
  let depth = 0;
  let members = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        if (depth > MAX_JSON_DEPTH) throw tooDeep();
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        break;
      case COLON:
        members += 1;
        if (members > MAX_JSON_MEMBERS) throw new JsonTooComplex(`more than ${MAX_JSON_MEMBERS} members`);
        break;
      case COMMA:
        values += 1;
        if (values > MAX_JSON_VALUES) throw new JsonTooComplex(`more than ${MAX_JSON_VALUES} values`);
    }
  }
}

/** The position of the quote that ends the string which begins here; the end of the text if there is none. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}
