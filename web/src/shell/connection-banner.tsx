import { useEffect, useState } from "react";
import type { FeedState } from "../feed/feed-state.ts";

/** How long the connection may be lost before the banner appears. */
const PATIENCE_MS = 700;

/** Says that the daemon cannot be reached. The page stays and recovers by itself. */
export function ConnectionBanner({ state }: { state: FeedState["connection"] }) {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (state === "live" || state === "paused") return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (!isShown) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 items-center justify-center gap-2 border-waiting-border border-b bg-waiting-soft px-4 py-1.5 text-waiting-text text-xs"
    >
      <span className="size-1.5 shrink-0 animate-breathe rounded-full bg-waiting" />
      {state === "lost" ? "Connection lost. Trying again." : "Connecting…"}
    </div>
  );
}
