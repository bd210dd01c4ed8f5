import type { FileChange } from "../api/types.ts";
import { countFiles, countLines } from "./file-change.ts";

/** How many files and lines changed, in one line. */
export function LineCounts({ changes }: { changes: readonly FileChange[] }) {
  const { added, removed } = countLines(changes);
  return (
    <span className="inline-flex gap-1.5 whitespace-nowrap tabular-nums">
      {countFiles(changes.length)}
      <span className="font-mono">
        {added > 0 && <span className="text-success">+{added}</span>}{" "}
        {removed > 0 && <span className="text-danger-text">−{removed}</span>}
      </span>
    </span>
  );
}
