import { useEffect, useState } from "react";
import type { FeedState } from "../feed/feed-state.ts";
import { useRetry } from "../feed/use-feed.tsx";
import { useIsLost } from "../feed/use-is-lost.ts";

/** How long the connection may be lost before the banner appears. */
const PATIENCE_MS = 700;
/** How long it tries by itself before somebody would like to. */
const ALONE_MS = 10_000;

/** Says that the daemon cannot be reached. The page stays and recovers by itself. */
export function ConnectionBanner({ state }: { state: FeedState["connection"] }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (state === "live" || state === "paused") return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const retry = useRetry();
  const isLong = useIsLost(ALONE_MS);
  if (!isShown) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 items-center justify-center gap-2 border-waiting-border border-b bg-waiting-soft px-4 py-1.5 text-waiting-text text-xs"
    >
      <span className="size-1.5 shrink-0 animate-breathe! rounded-full bg-waiting" />
      {state === "lost" ? "Connection lost. Trying again." : "Connecting…"}
      {isLong && (
        <button
          type="button"
          onClick={retry}
          className="-my-1 rounded px-1.5 py-0.5 font-medium underline underline-offset-2 touch:-my-1.5 touch:h-10 touch:px-3"
        >
          Try now
        </button>
      )}
    </div>
  );
}
