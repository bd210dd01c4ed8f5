/** Changed files as the diffs of the page show them, and how much changed. Pure. */
import type { FileChange } from "../api/types.ts";
import type { FileEdit } from "../chat/message-blocks.ts";

const KINDS = { added: "created", modified: "changed", deleted: "deleted" } as const;

export function editOf({ path, status, diff }: FileChange): FileEdit {
  return { path, kind: KINDS[status], diff };
}

export function countLines(changes: readonly FileChange[]): { added: number; removed: number } {
  let [added, removed] = [0, 0];
  for (const { additions, deletions } of changes) {
    added += additions;
    removed += deletions;
  }
  return { added, removed };
}

export function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count.toLocaleString()} files`;
}
