/** The difference of two texts as a unified diff with three lines of context. */

const CONTEXT_LINES = 3;

/** Lines of the old text that lines of the new one replace: from `start`, up to before `end`. */
export interface DiffRegion {
  readonly old: { readonly start: number; readonly end: number };
  readonly new: { readonly start: number; readonly end: number };
}

/**
 * As one hunk: all between the first and the last line that differ. `before` is undefined for a new file, `after` for a
 * deleted one. Both texts are taken to end in a newline.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const old = diffLines(before ?? "");
  const fresh = diffLines(after ?? "");
  const names = { from: before === undefined ? undefined : path, to: after === undefined ? undefined : path };
  return formatDiff(names, old, fresh, [changedRegion(old, fresh)]);
}

/** The lines of a text. A newline at its end begins no other line. */
export function diffLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** All between the first and the last line that differ. */
export function changedRegion(old: readonly unknown[], fresh: readonly unknown[]): DiffRegion {
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (same < most && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same += 1;
  return { old: { start, end: old.length - same }, new: { start, end: fresh.length - same } };
}

/** One hunk for regions that are near each other. A name is undefined where there is no such file. */
export function formatDiff(
  { from, to }: { from: string | undefined; to: string | undefined },
  old: readonly string[],
  fresh: readonly string[],
  regions: readonly DiffRegion[],
): string {
  const head = [`--- ${nameOf(from)}`, `+++ ${nameOf(to)}`];
  const hunks = inHunks(regions).flatMap((hunk) => formatHunk(old, fresh, hunk));
  return [...head, ...hunks, ""].join("\n");
}

/** A line break in a name must not look like a line of the diff. */
function nameOf(path = "/dev/null"): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}

function inHunks(regions: readonly DiffRegion[]): DiffRegion[][] {
  const hunks: DiffRegion[][] = [];
  let last: DiffRegion | undefined;
  for (const region of regions) {
    if (last && region.old.start - last.old.end <= 2 * CONTEXT_LINES) hunks.at(-1)!.push(region);
    else hunks.push([region]);
    last = region;
  }
  return hunks;
}

function formatHunk(old: readonly string[], fresh: readonly string[], regions: DiffRegion[]): string[] {
  const first = regions[0]!;
  const last = regions.at(-1)!;
  const leading = Math.min(first.old.start, CONTEXT_LINES);
  const trailing = Math.min(old.length - last.old.end, CONTEXT_LINES);
  const spanOf = (side: "old" | "new") =>
    range(first[side].start - leading, last[side].end - first[side].start + leading + trailing);
  const lines = [`@@ -${spanOf("old")} +${spanOf("new")} @@`];
  let at = first.old.start - leading;
  const addSame = (end: number) => {
    for (; at < end; at += 1) lines.push(` ${old[at]}`);
  };
  for (const region of regions) {
    addSame(region.old.start);
    for (let line = region.old.start; line < region.old.end; line += 1) lines.push(`-${old[line]}`);
    for (let line = region.new.start; line < region.new.end; line += 1) lines.push(`+${fresh[line]}`);
    at = region.old.end;
  }
  addSame(last.old.end + trailing);
  return lines;
}

/** By convention an empty range names the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}
