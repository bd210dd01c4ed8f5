/** The files of a session: what its agent changed, and the time line to go back on. */
import { Tabs } from "radix-ui";
import { useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import type { Checkpoint } from "../api/types.ts";
import { useLoad } from "../api/use-load.ts";
import { useFeed } from "../feed/use-feed.tsx";
import type { PanelProps } from "../shell/side-panel.tsx";
import { Problem } from "../ui/problem.tsx";
import { ChangesView } from "./changes-view.tsx";
import { HistoryView } from "./history-view.tsx";
import RestoreDialog from "./restore-dialog.tsx";
import type { RestoreTarget } from "./restore-target.ts";

const TAB =
  "h-7 flex-1 rounded-md px-3 font-medium text-muted-foreground text-xs hover:text-foreground touch:h-10 data-[state=active]:bg-chosen data-[state=active]:text-foreground data-[state=active]:shadow-xs";

const NONE: readonly Checkpoint[] = [];

export default function FilesPanel({ session }: PanelProps) {
  const { sessions, snapshots } = useFeed();
  const summary = sessions.get(session);
  const { can } = useAccess();
  const [target, setTarget] = useState<RestoreTarget>();
  const [count, setCount] = useState(0);
  const isBusy = summary !== undefined && ["running", "waiting", "recovering"].includes(summary.status);
  // While a turn runs, only that its prompt was dispatched is new; what it changed is known at its end.
  const state = isBusy ? `${summary.queued} wait` : summary?.head;
  const revision = `${session} ${snapshots} ${count} ${state}`;
  const checkpoints = useLoad(revision, (signal) =>
    daemon()
      .call("GET /v1/sessions/{id}/checkpoints", { params: { id: session } }, signal)
      .then((answer) => answer.checkpoints),
  );
  const canRestore = can("session.restore") && summary?.status !== "closed";
  const shared = {
    session,
    revision,
    checkpoints: checkpoints.answer ?? NONE,
    isBusy,
    onRestore: canRestore ? setTarget : undefined,
  };

  function finish() {
    setTarget(undefined);
    setCount(count + 1);
  }

  return (
    <Tabs.Root
      defaultValue="changes"
      className="flex min-h-0 flex-1 flex-col"
      data-files={checkpoints.isLoading ? "loading" : "loaded"}
    >
      <Tabs.List aria-label="Files" className="m-3 mb-0 flex shrink-0 gap-0.5 rounded-lg bg-muted p-0.5">
        <Tabs.Trigger value="changes" className={TAB}>
          Changes
        </Tabs.Trigger>
        <Tabs.Trigger value="history" className={TAB}>
          Timeline
        </Tabs.Trigger>
      </Tabs.List>
      <Problem text={checkpoints.problem} className="m-3 mb-0" />
      <Tabs.Content value="changes" className="flex min-h-0 flex-1 flex-col focus-visible:outline-none">
        <ChangesView {...shared} onApproved={() => setCount(count + 1)} />
      </Tabs.Content>
      <Tabs.Content value="history" className="min-h-0 flex-1 overflow-y-auto focus-visible:outline-none">
        <HistoryView {...shared} />
      </Tabs.Content>
      <RestoreDialog
        session={session}
        target={target}
        onClose={() => setTarget(undefined)}
        onRestored={finish}
      />
    </Tabs.Root>
  );
}
