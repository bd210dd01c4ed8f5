/**
 * Looks for a regular expression of the model in texts. A thread of its own: such an expression can take for ever, and
 * only a thread can be ended then.
 */
import { matchesGlob } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { SearchMatch, SearchRequest, SearchSettings } from "./search-protocol.ts";

/** Of a line, as they come from minified code. The rest is not looked at. */
const MAX_LINE_LENGTH = 10_000;
const MAX_SHOWN_LENGTH = 300;

const { source, flags, filePattern } = workerData as SearchSettings;
const expression = new RegExp(source, flags);

parentPort!.on("message", (request: SearchRequest) => {
  if (request.type === "name") parentPort!.postMessage(isWanted(request.path));
  else parentPort!.postMessage(request.files.flatMap(({ path, text }) => search(path, text, request.max)));
});

/** A pattern without a slash is for names in any directory. */
function isWanted(path: string): boolean {
  if (filePattern === undefined) return true;
  const pattern = filePattern.includes("/") ? filePattern : `**/${filePattern}`;
  return matchesGlob(path, pattern);
}

function search(path: string, text: string, max: number): SearchMatch[] {
  const matches: SearchMatch[] = [];
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.slice(0, MAX_LINE_LENGTH);
    const match = expression.exec(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (!match) continue;
    // The part with the match, of a line that is long.
    const start = Math.max(0, Math.min(match.index - 50, line.length - MAX_SHOWN_LENGTH));
    matches.push({ path, line: index + 1, text: line.slice(start, start + MAX_SHOWN_LENGTH).trimEnd() });
    if (matches.length === max) break;
  }
  return matches;
}
