/** Files cannot go back because of an agent at work there: which one, and what can be done about it. */
import { useEffect, useState } from "react";
import type { InterlinguaError } from "../../../src/sdk/error.ts";
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { openSession } from "../route.ts";
import { Button } from "../ui/button.tsx";
import { clip, folderName } from "../ui/format.ts";

const TITLE_LENGTH = 80;
const ASK_AGAIN_MS = 1000;

interface BusySessionProps {
  busy: NonNullable<InterlinguaError["session"]>;
  /** The session whose files are to go back. */
  session: string;
  onClose: () => void;
  /** It works no longer. */
  onFree: () => void;
}

export function BusySession({ busy, session, onClose, onFree }: BusySessionProps) {
  const { can } = useAccess();
  const summary = useFeed().sessions.get(busy.id);
  const [isStopping, setIsStopping] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isWaiting = summary?.status === "waiting";
  const isBusy = isWaiting || summary?.status === "running" || summary?.status === "recovering";
  const isSame = busy.id === session;
  // The refusal may know more than the feed, which may be behind or never hear of it: then it is asked again, slowly.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only that it has ended counts
  useEffect(() => {
    if (isBusy) return;
    const timer = setTimeout(onFree, ASK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);

  async function stop() {
    setIsStopping(true);
    setProblem(undefined);
    try {
      const params = { id: busy.id };
      await daemon().call("POST /v1/sessions/{id}/interrupt", { params, body: { hold: true } });
    } catch (error) {
      setProblem(messageOf(error));
      setIsStopping(false);
    }
  }

  const title = clip(busy.title ?? summary?.title ?? "", TITLE_LENGTH) || "Another session";
  return (
    <>
      <p
        role="alert"
        className="rounded-lg border border-waiting-border bg-waiting-soft px-3 py-2 text-xs leading-5 [overflow-wrap:anywhere]"
      >
        <strong className="font-semibold">{isSame ? "This session" : title}</strong>{" "}
        {isWaiting ? "waits for your answer" : "works"}
        {summary && !isSame ? ` in ${folderName(summary.cwd)}` : ""}. Files can go back when its turn has
        ended.
        {problem && <span className="block text-danger-text">{problem}</span>}
      </p>
      <div className="flex flex-wrap items-center justify-end gap-2 pt-1">
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
        {!isSame && (
          <Button
            onClick={() => {
              onClose();
              openSession(busy.id);
            }}
          >
            Open it
          </Button>
        )}
        {can("session.stop") && (
          <Button look="primary" disabled={isStopping} onClick={stop}>
            {isStopping ? "Stopping…" : "Stop its turn and go on"}
          </Button>
        )}
      </div>
    </>
  );
}
