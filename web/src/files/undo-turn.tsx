/** Under an answer that changed files: takes those changes back. */
import { Undo2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import { useFeed } from "../feed/use-feed.tsx";
import type { RestoreTarget } from "./restore-target.ts";

const RestoreDialog = lazy(() =>
  import("./restore-dialog.tsx").then((module) => ({ default: module.RestoreDialog })),
);

interface UndoTurnProps {
  session: string;
  turn: string;
}

export function UndoTurn({ session, turn }: UndoTurnProps) {
  const { can } = useAccess();
  const summary = useFeed().sessions.get(session);
  const [target, setTarget] = useState<RestoreTarget>();
  const [problem, setProblem] = useState<string>();
  if (!can("session.restore") || !summary || summary.status === "closed") return null;

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
      <button
        type="button"
        data-undo-turn
        onClick={find}
        className="inline-flex items-center gap-1 rounded text-2xs text-muted-foreground hover:text-foreground touch:min-h-10 [&_svg]:size-3"
      >
        <Undo2 aria-hidden="true" /> Undo this turn
      </button>
      {problem && (
        <span role="alert" className="text-2xs text-danger-text">
          {problem}
        </span>
      )}
      {target && (
        <Suspense fallback={null}>
          <RestoreDialog
            session={session}
            target={target}
            onClose={() => setTarget(undefined)}
            onRestored={() => setTarget(undefined)}
          />
        </Suspense>
      )}
    </>
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
