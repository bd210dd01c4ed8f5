/** How many lines edits added and removed. */
import { useContext, useMemo } from "react";
import type { FileEdit } from "../chat/message-blocks.ts";
import { UndoneContext } from "../files/use-restores.ts";
import { classNames } from "../ui/class-names.ts";
import { parseDiff } from "./parse-diff.ts";

/** Of larger ones no count is made. */
const MAX_DIFF_LENGTH = 200_000;

export function DiffCounts({ edits }: { edits: readonly FileEdit[] }) {
  const { added, removed } = useMemo(() => countLines(edits), [edits]);
  const undone = useContext(UndoneContext);
  if (added + removed === 0) return null;
  // Of several files one may still stand.
  const isUndone = undone.size > 0 && edits.every(({ path }) => undone.has(path));
  return (
    <span
      data-undone-counts={isUndone || undefined}
      className={classNames(
        "shrink-0 font-mono text-2xs tabular-nums",
        isUndone && "text-muted-foreground line-through **:text-muted-foreground",
      )}
    >
      {added > 0 && <span className="text-success">+{added}</span>}
      {removed > 0 && <span className="ml-1.5 text-danger-text">−{removed}</span>}
    </span>
  );
}

function countLines(edits: readonly FileEdit[]): { added: number; removed: number } {
  const length = edits.reduce((sum, { diff = "" }) => sum + diff.length, 0);
  if (length > MAX_DIFF_LENGTH) return { added: 0, removed: 0 };
  const diffs = edits.map(({ diff = "" }) => parseDiff(diff));
  return {
    added: diffs.reduce((sum, { added }) => sum + added, 0),
    removed: diffs.reduce((sum, { removed }) => sum + removed, 0),
  };
}
