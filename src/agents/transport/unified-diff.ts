/** The difference of two texts as one hunk: all between the first and the last line that differ. */

const CONTEXT_LINES = 3;

/** `before` is undefined for a new file, `after` for a deleted one. Both texts are taken to end in a newline. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  const old = lines(before ?? "");
  const fresh = lines(after ?? "");
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (same < most && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same += 1;
  const first = Math.max(0, start - CONTEXT_LINES);
  const trailing = Math.min(same, CONTEXT_LINES);
  const oldEnd = old.length - same;
  const newEnd = fresh.length - same;
  return [
    `--- ${before === undefined ? "/dev/null" : path}`,
    `+++ ${after === undefined ? "/dev/null" : path}`,
    `@@ -${range(first, oldEnd + trailing - first)} +${range(first, newEnd + trailing - first)} @@`,
    ...old.slice(first, start).map((line) => ` ${line}`),
    ...old.slice(start, oldEnd).map((line) => `-${line}`),
    ...fresh.slice(start, newEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + trailing).map((line) => ` ${line}`),
    "",
  ].join("\n");
}

/** By convention an empty range names the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

function lines(text: string): string[] {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
}
