/** The diff of a file and what edits make of it: one hunk for each place, with the lines around it. */
import type { EditedText } from "../../core/proposed-change.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { changedRegion, type DiffRegion, diffLines, formatDiff } from "../../core/unified-diff.ts";

/** With more lines that differ, all between the first and the last of them is shown as changed. */
const MAX_CHANGED_LINES = 500;

const UNENDED = "\n\\ No newline at end of file";

export async function diffOfFile(
  path: string,
  { before, after }: EditedText,
  slices: TimeSlices,
): Promise<string> {
  const { diffArrays } = await import("diff");
  await slices.next();
  const old = linesOf(before ?? "");
  const fresh = linesOf(after);
  await slices.next();
  // Long lines that are nearly equal are compared once and not hundreds of times.
  const numbers = new Map<string, number>();
  const oldNumbers = old.map((line) => numberOf(numbers, line));
  const newNumbers = fresh.map((line) => numberOf(numbers, line));
  await slices.next();
  const all = changedRegion(oldNumbers, newNumbers);
  const differing = diffArrays(
    oldNumbers.slice(all.old.start, all.old.end),
    newNumbers.slice(all.new.start, all.new.end),
    { maxEditLength: MAX_CHANGED_LINES },
  );
  const regions = differing ? regionsOf(differing, all) : [all];
  const from = before === undefined ? undefined : path;
  return formatDiff({ from, to: path }, old, fresh, regions.length > 0 ? regions : [all]);
}

/** A last line without a newline is another line than one with it. */
function linesOf(text: string): string[] {
  const lines = diffLines(text);
  if (text !== "" && !text.endsWith("\n")) lines.push(`${lines.pop()}${UNENDED}`);
  return lines;
}

function numberOf(numbers: Map<string, number>, line: string): number {
  const known = numbers.get(line);
  if (known !== undefined) return known;
  numbers.set(line, numbers.size);
  return numbers.size - 1;
}

type Run = { readonly added: boolean; readonly removed: boolean; readonly count: number };

function regionsOf(runs: readonly Run[], { old, new: fresh }: DiffRegion): DiffRegion[] {
  const regions: DiffRegion[] = [];
  let oldAt = old.start;
  let newAt = fresh.start;
  let isOpen = false;
  for (const { added, removed, count } of runs) {
    const start = { old: oldAt, new: newAt };
    if (!added) oldAt += count;
    if (!removed) newAt += count;
    const isChange = added || removed;
    if (isChange) {
      const open = isOpen ? regions.pop()! : undefined;
      regions.push({
        old: { start: open?.old.start ?? start.old, end: oldAt },
        new: { start: open?.new.start ?? start.new, end: newAt },
      });
    }
    isOpen = isChange;
  }
  return regions;
}
