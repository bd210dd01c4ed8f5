/** Under an answer that changed files: takes those changes back. */
import { Redo2, Undo2 } from "lucide-react";
import { useState } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Checkpoint } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { shownName } from "../people/shown-name.ts";
import { shortMoment } from "../ui/format.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { countFiles } from "./file-change.ts";
import type { RestoreTarget } from "./restore-target.ts";

const RestoreDialog = lazyPart(() => import("./restore-dialog.tsx"));

const LOOK =
  "inline-flex items-center gap-1 rounded text-2xs text-muted-foreground hover:text-foreground touch:min-h-10 [&_svg]:size-3";

interface UndoTurnProps {
  session: string;
  turn: string;
  /** By path, what took back what the turn did to it. */
  undone: ReadonlyMap<string, Checkpoint>;
  /** Nothing of the turn stands any more. */
  isAll: boolean;
}

export function UndoTurn({ session, turn, undone, isAll }: UndoTurnProps) {
  const { can } = useAccess();
  const summary = useFeed().sessions.get(session);
  const [target, setTarget] = useState<RestoreTarget>();
  const [problem, setProblem] = useState<string>();
  const [restore] = [...undone.values()].sort((one, other) => other.seq - one.seq);
  const canRestore = can("session.restore") && summary !== undefined && summary.status !== "closed";
  if (!canRestore && !restore) return null;

  async function find() {
    setProblem(undefined);
    try {
      const found = await findTarget(session, turn);
      if (found) setTarget(found);
      else setProblem("There is no checkpoint from before this turn.");
    } catch (error) {
      setProblem(messageOf(error));
    }
  }

  return (
    <>
      {restore && <WentBack restore={restore} isAll={isAll} count={undone.size} />}
      {restore && canRestore && !restore.dropped && !restore.elsewhere && (
        <button
          type="button"
          onClick={() =>
            setTarget({
              checkpoint: restore.id,
              title: "Bring those changes back?",
              isRedo: true,
              hasPrompts: false,
            })
          }
          className={LOOK}
        >
          <Redo2 aria-hidden="true" /> Bring back
        </button>
      )}
      {!isAll && canRestore && (
        <button type="button" data-undo-turn onClick={find} className={LOOK}>
          <Undo2 aria-hidden="true" /> Undo this turn
        </button>
      )}
      {problem && (
        <span role="alert" className="text-2xs text-danger-text">
          {problem}
        </span>
      )}
      {target && (
        <RestoreDialog
          session={session}
          target={target}
          onClose={() => setTarget(undefined)}
          onRestored={() => setTarget(undefined)}
        />
      )}
    </>
  );
}

/** What every device knows of it, from the log. */
function WentBack({ restore, isAll, count }: { restore: Checkpoint; isAll: boolean; count: number }) {
  const { me } = useAccess();
  const by = restore.restored?.by;
  const who = by === undefined ? "" : `, by ${isNamed(by, me.name) ? "you" : shownName(by)}`;
  const what = isAll ? "Files of this turn" : countFiles(count);
  return (
    <span
      data-went-back
      title={new Date(restore.at).toLocaleString()}
      className="inline-flex items-center gap-1 text-2xs text-muted-foreground [&_svg]:size-3"
    >
      <Undo2 aria-hidden="true" /> {what} went back, {shortMoment(restore.at)}
      {who}
    </span>
  );
}

async function findTarget(session: string, turn: string): Promise<RestoreTarget | undefined> {
  const { timeLine } = await import("./time-line.ts");
  const answer = await daemon().call("GET /v1/sessions/{id}/checkpoints", { params: { id: session } });
  const turns = timeLine(answer.checkpoints).filter((entry) => entry.kind === "turn");
  const at = turns.findIndex((entry) => entry.turn === turn);
  const checkpoint = turns[at]?.checkpoint;
  if (checkpoint === undefined) return undefined;
  const title = at === 0 ? "Undo this turn?" : `Undo this turn and the ${at === 1 ? "one" : at} after it?`;
  return { checkpoint, title, hasPrompts: true };
}
