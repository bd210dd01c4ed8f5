/** What the agent of a session does in the background, looked at again as the session goes on. */
import { useEffect, useRef, useState } from "react";
import { daemon } from "../api/client.ts";
import type { Task } from "../api/types.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useConnectionState } from "../feed/use-feed.tsx";

/** While much happens it is not looked at more often. */
const PAUSE_MS = 1500;

export function useTasks(session: string, { head, status }: SessionSummary): readonly Task[] {
  const [tasks, setTasks] = useState<readonly Task[]>([]);
  const isDue = useRef(false);

  const connection = useConnectionState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state is a reason to look again
  useEffect(() => {
    const controller = new AbortController();
    readTasks(session, controller.signal).then(setTasks, () => {});
    return () => controller.abort();
  }, [session, status, connection]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new event may be about a task
  useEffect(() => {
    if (isDue.current) return;
    isDue.current = true;
    setTimeout(() => {
      isDue.current = false;
      readTasks(session).then(setTasks, () => {});
    }, PAUSE_MS);
  }, [session, head]);

  return tasks;
}

async function readTasks(session: string, signal?: AbortSignal): Promise<readonly Task[]> {
  return (await daemon().call("GET /v1/sessions/{id}/tasks", { params: { id: session } }, signal)).tasks;
}

export function isRunning({ state }: Task): boolean {
  return state === "running" || state === "stopping";
}
