/** The prompts of a session that wait, loaded again when the session goes on. */
import { useEffect, useState } from "react";
import type { QueuedPrompt } from "../api/types.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { readQueue } from "./read-queue.ts";

export function useQueue(id: string, summary: SessionSummary): readonly QueuedPrompt[] {
  const [queue, setQueue] = useState<readonly QueuedPrompt[]>([]);
  const { queued } = summary;
  // If nothing waits, nothing has to be loaded.
  const head = queued > 0 ? summary.head : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits may be another prompt although it is as many
  useEffect(() => {
    if (queued === 0) return setQueue([]);
    const controller = new AbortController();
    readQueue(id, controller.signal).then(setQueue, () => {});
    return () => controller.abort();
  }, [id, queued, head]);
  return queue;
}
