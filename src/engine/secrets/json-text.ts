/** Changes the strings of a JSON text without touching any other character. */
import { quotedPieces } from "../../core/long-json.ts";
import { endOfString, parseJson } from "../../core/parse-json.ts";
import { finish, type Steps } from "../../core/steps.ts";

/** What one character after a backslash stands for; all others mean nothing by themselves. */
export const SHORT_ESCAPES: Readonly<Record<string, string | undefined>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** How many escapes or strings are read in one step. */
const STEP = 2000;

/** Removes one layer of JSON escapes. */
export function* unescapeJson(text: string): Steps<string> {
  const pieces: string[] = [];
  let piece = "";
  let copied = 0;
  let escapes = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", Math.max(at + 1, copied))) {
    const short = SHORT_ESCAPES[text[at + 1] ?? ""];
    const hex = text[at + 1] === "u" ? text.slice(at + 2, at + 6) : "";
    if (short === undefined && !/^[0-9a-fA-F]{4}$/.test(hex)) continue;
    piece += text.slice(copied, at) + (short ?? String.fromCharCode(Number.parseInt(hex, 16)));
    copied = at + (short === undefined ? 6 : 2);
    escapes += 1;
    if (escapes % STEP === 0) {
      pieces.push(piece);
      piece = "";
      yield;
    }
  }
  return copied === 0 ? text : [...pieces, piece, text.slice(copied)].join("");
}

/** Whether the text is a JSON document that may contain strings. One that takes too long to read counts as none. */
export function isJsonWithStrings(text: string): boolean {
  if (!/^[ \t\r\n]*[[{"]/.test(text)) return false;
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** Changes the strings of valid JSON, keys included. A string that stays the same keeps its bytes. */
export function mapJsonStrings(json: string, change: (text: string) => string): string {
  return finish(mapJsonStringsInSteps(json, (text) => atOnce(change(text))));
}

/** Steps that are all done. */
// biome-ignore lint/correctness/useYield: there is nothing left to wait for.
export function* atOnce<Result>(result: Result): Steps<Result> {
  return result;
}

export function* mapJsonStringsInSteps(json: string, change: (text: string) => Steps<string>): Steps<string> {
  const mapped: string[] = [];
  let copied = 0;
  let strings = 0;
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = endOfString(json, start) + 1;
    const literal = json.slice(start, end);
    const text = literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1);
    const changed = yield* change(text);
    if (changed !== text) {
      mapped.push(json.slice(copied, start));
      for (const piece of quotedPieces(changed)) {
        mapped.push(piece);
        yield;
      }
      copied = end;
    }
    start = json.indexOf('"', end);
    strings += 1;
    if (strings % STEP === 0) yield;
  }
  return copied === 0 ? json : [...mapped, json.slice(copied)].join("");
}
