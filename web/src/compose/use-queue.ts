/** The prompts of a session that wait, loaded again when the session goes on. */
import { useEffect, useState } from "react";
import type { SessionSummary } from "../feed/feed-state.ts";
import { type Queue, readQueue } from "./read-queue.ts";

const NOTHING: Queue = { prompts: [], held: undefined };

export function useQueue(id: string, summary: SessionSummary): Queue {
  const [queue, setQueue] = useState(NOTHING);
  const { queued } = summary;
  // If nothing waits, nothing has to be loaded.
  const head = queued > 0 ? summary.head : 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what waits may be another prompt although it is as many
  useEffect(() => {
    if (queued === 0) return setQueue(NOTHING);
    const controller = new AbortController();
    readQueue(id, controller.signal).then(setQueue, () => {});
    return () => controller.abort();
  }, [id, queued, head]);
  return queue;
}
