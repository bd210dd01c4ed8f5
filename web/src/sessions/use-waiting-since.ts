/** Since when each session waits for somebody: its oldest open ask. */
import { useMemo } from "react";
import { useFeed } from "../feed/use-feed.tsx";

export function useWaitingSince(): ReadonlyMap<string, number> {
  const { asks } = useFeed();
  return useMemo(() => {
    const since = new Map<string, number>();
    // Oldest first.
    for (const { session, at } of asks) if (!since.has(session)) since.set(session, at);
    return since;
  }, [asks]);
}
