/** The difference of two texts as one hunk: all between the first and the last line that differ. */

const CONTEXT_LINES = 3;

/** `before` is undefined for a new file. Both texts are taken to end in a newline. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  const old = lines(before ?? "");
  const fresh = lines(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  while (
    same < old.length - start &&
    same < fresh.length - start &&
    old.at(-1 - same) === fresh.at(-1 - same)
  ) {
    same += 1;
  }
  const first = Math.max(0, start - CONTEXT_LINES);
  const trailing = Math.min(same, CONTEXT_LINES);
  const oldCount = old.length - same + trailing - first;
  const newCount = fresh.length - same + trailing - first;
  return [
    before === undefined ? "--- /dev/null" : `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${range(first, oldCount)} +${range(first, newCount)} @@`,
    ...old.slice(first, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - same).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - same).map((line) => `+${line}`),
    ...old.slice(old.length - same, old.length - same + trailing).map((line) => ` ${line}`),
    "",
  ].join("\n");
}

/** By custom an empty range names the line before it. */
function range(first: number, count: number): string {
  return `${count === 0 ? first : first + 1},${count}`;
}

function lines(text: string): string[] {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
}
