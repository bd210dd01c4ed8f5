/** Asks before sessions are closed: that cannot be undone. */
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

interface CloseDialogProps {
  /** None: it is not shown. */
  sessions: readonly string[];
  onCancel: () => void;
  onConfirm: () => void;
}

export default function CloseDialog({ sessions, onCancel, onConfirm }: CloseDialogProps) {
  const { length } = sessions;
  return (
    <Dialog
      isOpen={length > 0}
      onClose={onCancel}
      title={length > 1 ? `Close ${length.toLocaleString()} sessions?` : "Close this session?"}
      description={
        length > 1
          ? "Their agents are ended. The conversations stay readable, but take no more prompts."
          : "Its agent is ended. The conversation stays readable, but takes no more prompts."
      }
    >
      <div className="mt-5 flex justify-end gap-2">
        <Button look="ghost" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" onClick={onConfirm}>
          {length > 1 ? "Close sessions" : "Close session"}
        </Button>
      </div>
    </Dialog>
  );
}
