/** The prompts of a session that wait, read again as the session goes on. */
import { useState } from "react";
import { useReread } from "../api/use-reread.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useConnectionState } from "../feed/use-feed.tsx";
import { type Queue, readQueue } from "./read-queue.ts";

const NOTHING: Queue = { prompts: [], held: undefined };

export function useQueue(id: string, { queued, status, head }: SessionSummary): Queue {
  const [queue, setQueue] = useState(NOTHING);
  const connection = useConnectionState();
  // As many may be others, or in another order: only the head tells.
  useReread(
    { of: `${id} ${connection}`, now: `${queued} ${status}`, soon: queued > 0 ? head : 0 },
    async (signal) => {
      // If nothing waits, nothing has to be loaded.
      if (queued === 0) return setQueue(NOTHING);
      const next = await readQueue(id, signal).catch(() => undefined);
      if (next && !signal.aborted) setQueue(next);
    },
  );
  return queued === 0 ? NOTHING : queue;
}
