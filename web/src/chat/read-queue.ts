/** The prompts of a session that wait, all of them. */
import { readPages } from "../api/read-pages.ts";
import type { QueuedPrompt } from "../api/types.ts";

export async function readQueue(session: string, signal?: AbortSignal): Promise<QueuedPrompt[]> {
  // A page begins anew when what the former one ended with waits no more.
  const queue = new Map<string, QueuedPrompt>();
  for await (const page of readPages<{ queue: QueuedPrompt[] }>(`/v1/sessions/${session}/queue`, { signal }))
    for (const prompt of page.queue) queue.set(prompt.message, prompt);
  return [...queue.values()];
}
