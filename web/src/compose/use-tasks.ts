/** What the agent of a session does in the background, looked at again as the session goes on. */
import { useState } from "react";
import { daemon } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import { useReread } from "../api/use-reread.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useConnectionState } from "../feed/use-feed.tsx";

/** While much happens it is not looked at more often. */
const PAUSE_MS = 1500;

export function useTasks(session: string, { head, status }: SessionSummary): readonly Task[] {
  const [tasks, setTasks] = useState<readonly Task[]>([]);
  const connection = useConnectionState();
  // Each new event may be about a task.
  useReread(
    { of: `${session} ${connection}`, now: status, soon: head, pauseMs: PAUSE_MS },
    async (signal) => {
      const next = await readTasks(session, signal).catch(() => undefined);
      if (next && !signal.aborted) setTasks(next);
    },
  );
  return tasks;
}

async function readTasks(session: string, signal: AbortSignal): Promise<readonly Task[]> {
  return (await daemon().call("GET /v1/sessions/{id}/tasks", { params: { id: session } }, signal)).tasks;
}

export function isRunning({ state }: Task): boolean {
  return state === "running" || state === "stopping";
}
