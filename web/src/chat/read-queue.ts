/** The prompts of a session that wait, all of them. */
import { readPages } from "../api/read-pages.ts";
import type { QueuedPrompt } from "../api/types.ts";

export async function readQueue(session: string, signal?: AbortSignal): Promise<QueuedPrompt[]> {
  // A page starts from the beginning if the last prompt of the former page no longer waits.
  const queue = new Map<string, QueuedPrompt>();
  for await (const page of readPages<{ queue: QueuedPrompt[] }>(`/v1/sessions/${session}/queue`, { signal }))
    for (const prompt of page.queue) queue.set(prompt.message, prompt);
  return [...queue.values()];
}
