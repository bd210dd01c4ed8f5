/** Goes back to a checkpoint: shows first what happens to which files, and does exactly that. */
import { useState } from "react";
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { useLoad } from "../api/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { BusySession } from "./busy-session.tsx";
import { ChangeList } from "./change-list.tsx";
import { ConflictChoice } from "./conflict-choice.tsx";
import { countFiles } from "./file-change.ts";
import { type OnConflict, type RestoreTarget, requestRestore, restoreProblem } from "./restore-target.ts";
import { useRestoredToast } from "./use-restored-toast.ts";

interface RestoreDialogProps {
  session: string;
  /** Closed without one. */
  target: RestoreTarget | undefined;
  onClose: () => void;
  onRestored: () => void;
}

export default function RestoreDialog({ session, target, onClose, onRestored }: RestoreDialogProps) {
  return (
    <Dialog isOpen={target !== undefined} onClose={onClose} title={target?.title ?? ""} size="wide">
      {target && <RestoreForm session={session} target={target} onClose={onClose} onRestored={onRestored} />}
    </Dialog>
  );
}

/** What happens to the files, of which some did not exist then. */
function actionName(count: number, deleted: number): string {
  if (deleted === 0) return `Put back ${countFiles(count)}`;
  return deleted >= count
    ? `Delete ${countFiles(count)}`
    : `Put back ${(count - deleted).toLocaleString()}, delete ${deleted.toLocaleString()}`;
}

function RestoreForm({
  session,
  target,
  onClose,
  onRestored,
}: RestoreDialogProps & { target: RestoreTarget }) {
  const [onConflict, setOnConflict] = useState<OnConflict>("refuse");
  const [conflicts, setConflicts] = useState<readonly string[]>([]);
  const [conversation, setConversation] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [isRestoring, setIsRestoring] = useState(false);
  const tell = useRestoredToast(session);
  const [refusal, setRefusal] = useState<string>();
  /** Which one works on the files. */
  const [busy, setBusy] = useState<InterlinguaError["session"]>();
  const { answer, problem, isLoading } = useLoad(
    `${onConflict} ${conversation} ${attempt}`,
    async (signal) => {
      setBusy(undefined);
      const preview = await requestRestore(
        session,
        target,
        { onConflict, conversation, preview: true },
        signal,
      );
      if (onConflict !== "refuse" || !preview.conflicts?.length) return preview;
      // What nobody else touched can go back: that is what is offered first.
      setConflicts(preview.conflicts);
      setOnConflict("keep");
      return preview;
    },
    { explain },
  );

  function explain(error: unknown): string {
    if (InterlinguaError.is(error, "workspace_busy")) setBusy(error.session);
    return restoreProblem(error);
  }

  async function restore() {
    setIsRestoring(true);
    setRefusal(undefined);
    try {
      const choice = { onConflict, conversation, expect: answer?.expect };
      tell(await requestRestore(session, target, choice), target.isRedo);
      onRestored();
    } catch (error) {
      setRefusal(explain(error));
      setAttempt(attempt + 1);
    }
    setIsRestoring(false);
  }

  // What an earlier choice was answered says nothing about this one.
  const impossible = onConflict === "refuse" || isLoading ? [] : (answer?.conflicts ?? []);
  const count = answer?.restored.length ?? 0;
  const deleted = answer?.changes.filter(({ status }) => status === "deleted").length ?? 0;
  const isNothing = count === 0 && answer?.rewound === undefined;
  const said = refusal ?? problem;
  if (busy)
    return (
      <div className="mt-3 space-y-3">
        <BusySession
          busy={busy}
          session={session}
          onClose={onClose}
          onFree={() => {
            setRefusal(undefined);
            setAttempt(attempt + 1);
          }}
        />
      </div>
    );
  return (
    <div className="mt-3 space-y-3">
      <Problem text={said} look="frame" />
      {!answer && isLoading && (
        <p className="flex items-center gap-2 text-muted-foreground text-xs">
          <Spinner label="Loading" /> Looking at the files…
        </p>
      )}
      {conflicts.length > 0 && (
        <ConflictChoice
          paths={conflicts}
          value={onConflict}
          onChange={setOnConflict}
          impossible={impossible}
        />
      )}
      {answer && count > 0 && impossible.length === 0 && (
        <section aria-label="What happens" data-preview aria-busy={isLoading}>
          <h3 className="mb-1.5 font-medium text-soft text-xs">
            {target.isRedo
              ? "What comes back:"
              : `${count === 1 ? "1 file goes" : `${countFiles(count)} go`} back:`}
          </h3>
          <div className="max-h-[45dvh] overflow-y-auto">
            <ChangeList changes={answer.changes} openUpTo={2} />
          </div>
        </section>
      )}
      {answer && count === 0 && impossible.length === 0 && (
        <p className="text-muted-foreground text-xs">
          No file goes back: nothing of this is left in the files.
        </p>
      )}
      {target.hasPrompts && (!problem || conversation) && (
        <label className="flex cursor-pointer items-start gap-2 text-xs touch:py-3">
          <input
            type="checkbox"
            checked={conversation}
            onChange={(event) => setConversation(event.target.checked)}
            className="mt-0.5 accent-primary"
          />
          <span className="flex flex-wrap gap-x-2">
            Take the conversation back too{" "}
            <span className="text-muted-foreground">The agent forgets what was said since.</span>
          </span>
        </label>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
        <p className="mr-auto text-2xs text-muted-foreground">
          Files that only you changed stay as they are. This can be undone.
        </p>
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button
          look="primary"
          disabled={!answer || isLoading || isRestoring || isNothing || impossible.length > 0}
          onClick={restore}
        >
          {count > 0 ? actionName(count, deleted) : "Go back"}
        </Button>
      </div>
    </div>
  );
}
