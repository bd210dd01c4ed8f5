import { Undo2, X } from "lucide-react";
import type { Restored } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { countFiles } from "./file-change.ts";

interface RestoredNoteProps {
  restored: Restored;
  /** With the checkpoint that undoes it. */
  onUndo: (checkpoint: string) => void;
  onDismiss: () => void;
}

/** What a restore did, and its undo. */
export function RestoredNote({ restored, onUndo, onDismiss }: RestoredNoteProps) {
  const { checkpoint, kept = [], rewound } = restored;
  const count = restored.restored.length;
  return (
    <div
      role="status"
      data-restored={count}
      className="mx-3 mt-3 flex shrink-0 items-center gap-1 rounded-lg border bg-raised py-1 pr-1 pl-3 text-xs"
    >
      <span className="min-w-0 flex-1 py-1">
        {count > 0 ? `${countFiles(count)} went back` : "No file went back"}
        {kept.length > 0 &&
          `, ${countFiles(kept.length)} left as ${kept.length === 1 ? "it is" : "they are"}`}
        {rewound !== undefined && ", and the conversation too"}.
      </span>
      {count > 0 && checkpoint !== undefined && (
        <Button look="ghost" size="small" onClick={() => onUndo(checkpoint)}>
          <Undo2 /> Undo
        </Button>
      )}
      <Button look="ghost" size="small" aria-label="Dismiss" onClick={onDismiss}>
        <X />
      </Button>
    </div>
  );
}
