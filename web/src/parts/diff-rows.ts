/** The lines of a diff as rows with an old and a new side. Pure. */
import { linePairs } from "./changed-words.ts";
import type { DiffLine } from "./parse-diff.ts";

/** Places in the list of lines; a hunk or an unchanged line stands on both sides. */
export interface DiffRow {
  old?: number;
  new?: number;
}

export function diffRows(lines: readonly DiffLine[]): DiffRow[] {
  const addedFor = new Map(linePairs(lines));
  const paired = new Set(addedFor.values());
  const rows: DiffRow[] = [];
  /** Added lines before this one have their row. */
  let done = 0;
  const addUpTo = (end: number) => {
    for (let at = Math.max(done, firstAdded(lines, end)); at < end; at += 1)
      if (!paired.has(at)) rows.push({ new: at });
    done = Math.max(done, end);
  };
  for (const [index, { kind }] of lines.entries()) {
    const added = addedFor.get(index);
    if (added !== undefined) addUpTo(added);
    if (kind === "removed") rows.push({ old: index, new: added });
    else if (kind === "added") addUpTo(index + 1);
    else rows.push({ old: index, new: index });
  }
  return rows;
}

/** Where the added lines begin that end before `end`. */
function firstAdded(lines: readonly DiffLine[], end: number): number {
  let start = end;
  while (lines[start - 1]?.kind === "added") start -= 1;
  return start;
}
