/** Changed files with their diffs. */
import { Undo2 } from "lucide-react";
import type { FileChange } from "../api/types.ts";
import { FileDiff } from "../parts/file-diff.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { editOf } from "./file-change.ts";

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
                <Button
                  look="ghost"
                  size="icon"
                  title="Undo this file"
                  aria-label={`Undo ${clip(change.path)}`}
                  className="mt-px text-muted-foreground touch:h-10! touch:w-auto! touch:gap-1.5 touch:px-2.5"
                  onClick={() => onUndo(change)}
                >
                  <Undo2 />
                  <span className="hidden touch:inline">Undo</span>
                </Button>
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
