/** Which parts of changed lines changed: a line that was removed and the one that came for it, word by word. Pure. */
import { diffWordsWithSpace } from "diff";
import type { DiffLine } from "./parse-diff.ts";

/** From where to where, in characters of the line. */
export type TextRange = readonly [start: number, end: number];

/** Longer lines, and more of them, are compared as wholes. */
const MAX_LINE_LENGTH = 600;
const MAX_PAIRS = 400;
/** So many added lines are looked at for each removed one. */
const LOOK_AHEAD = 12;
/** Lines that have less than this in common were not changed but replaced. */
const FEWEST_COMMON = 0.3;

/** The changed ranges, by the line's place in `lines`; a line that is not there changed as a whole, or not at all. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly TextRange[]> {
  const changed = new Map<number, readonly TextRange[]>();
  let pairs = 0;
  for (const [removed, added] of linePairs(lines)) {
    pairs += 1;
    if (pairs > MAX_PAIRS) break;
    const before = lines[removed]!.text;
    const after = lines[added]!.text;
    if (before.length > MAX_LINE_LENGTH || after.length > MAX_LINE_LENGTH) continue;
    const { old, fresh, common } = compare(before, after);
    if (common < FEWEST_COMMON * Math.max(before.trim().length, after.trim().length)) continue;
    changed.set(removed, old);
    changed.set(added, fresh);
  }
  return changed;
}

/** Removed lines that are followed by added ones, each with the one that came for it. */
export function* linePairs(lines: readonly DiffLine[]): Generator<[removed: number, added: number]> {
  let at = 0;
  while (at < lines.length) {
    if (lines[at]!.kind !== "removed") {
      at += 1;
      continue;
    }
    const removedFrom = at;
    while (lines[at]?.kind === "removed") at += 1;
    const addedFrom = at;
    while (lines[at]?.kind === "added") at += 1;
    const isEven = addedFrom - removedFrom === at - addedFrom;
    let next = addedFrom;
    for (let removed = removedFrom; removed < addedFrom && next < at; removed += 1) {
      const added = isEven ? next : nearest(lines, removed, next, Math.min(at, next + LOOK_AHEAD));
      yield [removed, added];
      next = added + 1;
    }
  }
}

/** Which of the added lines from `start` to `end` is most like the removed one; the first of equals. */
function nearest(lines: readonly DiffLine[], removed: number, start: number, end: number): number {
  let best = start;
  let most = -1;
  for (let added = start; added < end; added += 1) {
    const common = commonLength(lines[removed]!.text.trim(), lines[added]!.text.trim());
    if (common > most) [best, most] = [added, common];
  }
  return best;
}

/** How much two texts begin and end alike, as a share of the longer. */
function commonLength(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length, MAX_LINE_LENGTH);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return (start + end) / Math.max(1, a.length, b.length);
}

function compare(before: string, after: string): { old: TextRange[]; fresh: TextRange[]; common: number } {
  const old: TextRange[] = [];
  const fresh: TextRange[] = [];
  let [inOld, inNew, common] = [0, 0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    if (removed) {
      old.push([inOld, inOld + value.length]);
      inOld += value.length;
    } else if (added) {
      fresh.push([inNew, inNew + value.length]);
      inNew += value.length;
    } else {
      inOld += value.length;
      inNew += value.length;
      common += value.trim().length;
    }
  }
  return { old, fresh, common };
}
