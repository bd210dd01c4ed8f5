/** What turns of a session changed in sum, to be accepted or undone. */
import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Checkpoint } from "../api/types.ts";
import { useLoad } from "../api/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { folderName } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";
import { ChangeList, LineCounts } from "./change-list.tsx";
import type { RestoreTarget } from "./restore-target.ts";

type Scope = "pending" | "all";

const SCOPES: readonly { value: Scope; name: string }[] = [
  { value: "pending", name: "Not accepted yet" },
  { value: "all", name: "Whole session" },
];

interface ChangesViewProps {
  session: string;
  revision: string;
  checkpoints: readonly Checkpoint[];
  isBusy: boolean;
  /** Absent where nothing may go back. */
  onRestore: ((target: RestoreTarget) => void) | undefined;
  onApproved: () => void;
}

export function ChangesView(props: ChangesViewProps) {
  const { session, revision, checkpoints, isBusy, onRestore, onApproved } = props;
  const [scope, setScope] = useState<Scope>("pending");
  const [refusal, setRefusal] = useState<string>();
  const first = checkpoints.find(({ dropped, elsewhere }) => !dropped && !elsewhere)?.id;
  const isApproved = checkpoints.some(({ kind }) => kind === "approved");
  const since = scope === "all" && isApproved ? first : undefined;
  const { answer, problem, isLoading } = useLoad(`${revision} ${since}`, (signal) =>
    daemon().call("GET /v1/sessions/{id}/changes", { params: { id: session }, query: { since } }, signal),
  );
  const changes = answer?.changes ?? [];
  const isPending = since === undefined;

  async function approve() {
    setRefusal(undefined);
    try {
      await daemon().call("POST /v1/sessions/{id}/approve", { params: { id: session } });
      onApproved();
    } catch (error) {
      setRefusal(messageOf(error));
    }
  }

  return (
    <>
      <div className="flex min-h-0 flex-1 flex-col gap-2.5 overflow-y-auto p-3" aria-busy={isLoading}>
        {(changes.length > 0 || isApproved) && (
          <div className="flex shrink-0 items-center gap-2 text-muted-foreground text-xs">
            {changes.length > 0 && <LineCounts changes={changes} />}
            {isApproved && (
              <span className="ml-auto">
                <Select
                  aria-label="Which changes"
                  value={scope}
                  options={SCOPES}
                  onChange={setScope}
                  className="h-7.5! w-44 text-xs! touch:h-10!"
                />
              </span>
            )}
          </div>
        )}
        <Problem text={refusal ?? problem} className="leading-5" />
        {changes.length === 0 && answer && (
          <Nothing isBusy={isBusy}>
            {isApproved && isPending ? "Everything is accepted." : "No file was changed yet."}
          </Nothing>
        )}
        <ChangeList
          changes={changes}
          openUpTo={3}
          onUndo={
            onRestore &&
            (({ path }) =>
              onRestore({
                checkpoint: since,
                title: `Undo the changes of ${folderName(path)}?`,
                paths: [path],
              }))
          }
        />
      </div>
      {onRestore && isPending && changes.length > 0 && (
        <div className="flex shrink-0 items-center gap-2 border-t px-3 py-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]">
          <Button
            disabled={isBusy}
            onClick={() => onRestore({ title: "Undo all changes?", hasPrompts: true })}
          >
            <Undo2 /> Undo all…
          </Button>
          <Button look="primary" className="ml-auto" onClick={approve}>
            <Check /> Accept all
          </Button>
        </div>
      )}
    </>
  );
}

function Nothing({ children, isBusy }: { children: string; isBusy: boolean }) {
  return (
    <div className="grid flex-1 place-items-center p-6 text-center text-muted-foreground">
      <div>
        <p className="text-[0.8125rem]">{children}</p>
        <p className="mt-1 text-balance text-2xs">
          {isBusy
            ? "What the agent changes in this turn is here when it has ended."
            : "What the agent changes stands here until you accept or undo it."}
        </p>
      </div>
    </div>
  );
}
