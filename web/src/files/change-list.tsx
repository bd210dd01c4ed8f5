/** Changed files with their diffs. */
import { Undo2 } from "lucide-react";
import type { FileChange } from "../api/types.ts";
import { FileDiff } from "../parts/file-diff.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { IconButton } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { countFiles, countLines, editOf } from "./file-change.ts";

interface ChangeListProps {
  changes: readonly FileChange[];
  /** Diffs of so few files are open from the start; of more the first one. */
  openUpTo?: number;
  onUndo?: (change: FileChange) => void;
}

export function ChangeList({ changes, openUpTo = 0, onUndo }: ChangeListProps) {
  return (
    <ul className="space-y-1.5">
      <BoundedList items={changes} step={50} name="files" wrap={(button) => <li>{button}</li>}>
        {(change, index) => (
          <li key={change.path} data-change={clip(change.path)}>
            <div className="flex items-start gap-1">
              <div className="min-w-0 flex-1">
                <FileDiff
                  edit={editOf(change)}
                  isOpen={changes.length <= openUpTo || (openUpTo > 0 && index === 0)}
                />
              </div>
              {onUndo && (
                <IconButton
                  icon={Undo2}
                  title="Undo this file"
                  label={`Undo ${clip(change.path)}`}
                  className="mt-px text-muted-foreground touch:h-10! touch:w-auto! touch:gap-1.5 touch:px-2.5"
                  onClick={() => onUndo(change)}
                >
                  <span className="hidden touch:inline">Undo</span>
                </IconButton>
              )}
            </div>
            {(change.binary || change.tooLarge) && (
              <p className="px-2.5 pt-1 text-2xs text-muted-foreground">
                {change.binary ? "Not a text: its content is not shown." : "Too large to be shown."}
              </p>
            )}
          </li>
        )}
      </BoundedList>
    </ul>
  );
}

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
