/** Stands where others write once a session is closed: how to go on from it. */
import { GitFork } from "lucide-react";
import { useAccess } from "../access/use-access.tsx";
import { useSessionActions } from "../sessions/use-session-actions.tsx";
import { Button } from "../ui/button.tsx";

export default function ClosedSession({ session }: { session: string }) {
  const { can } = useAccess();
  const actions = useSessionActions();
  return (
    <div
      data-part="closed"
      className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border border-dashed px-4 py-2.5 text-muted-foreground"
    >
      <p>This session is closed. It can still be read.</p>
      {can("session.fork") && (
        <Button
          className="pointer-coarse:h-10 pointer-coarse:w-full"
          onClick={() => void actions.fork(session)}
        >
          <GitFork aria-hidden="true" /> Fork to go on
        </Button>
      )}
    </div>
  );
}
