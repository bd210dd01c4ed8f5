/** Reads what `encodeLong` wrote. Between its pieces the event loop turns: there may be many megabytes. */
import { setImmediate } from "node:timers/promises";
import { parseStored } from "./damaged-data.ts";

/** Read in a few milliseconds. */
const PIECE_LENGTH = 1024 * 1024;

/** Only a text is read in pieces: nothing else that is stored gets long. `what` is the subject of an error's sentence. */
export async function parseLong<Value>(
  json: string,
  what: string,
  pieceLength = PIECE_LENGTH,
): Promise<Value> {
  if (json.length <= pieceLength || !json.startsWith('"') || !json.endsWith('"'))
    return parseStored<Value>(json, what);
  let text = "";
  const last = json.length - 1;
  for (let start = 1; start < last; ) {
    const end = start + pieceLength < last ? beforeEscape(json, start, start + pieceLength) : last;
    text += parseStored<string>(`"${json.slice(start, end)}"`, what);
    start = end;
    await setImmediate();
  }
  return text as Value;
}

/** The longest escape is `\uXXXX`. */
const ESCAPE_LENGTH = 6;

/** `end`, or where the escape begins that it would cut. No escape contains `start`. */
function beforeEscape(json: string, start: number, end: number): number {
  for (let at = end - 1; at > end - ESCAPE_LENGTH; at -= 1) {
    if (json[at] !== "\\") continue;
    let first = at;
    while (first > start && json[first - 1] === "\\") first -= 1;
    return (at - first) % 2 === 0 ? at : end;
  }
  return end;
}
