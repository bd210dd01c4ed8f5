/** The prompts of a session that wait, all of them. */
import { daemon } from "../api/client.ts";
import type { QueuedPrompt } from "../api/types.ts";

export async function readQueue(session: string, signal?: AbortSignal): Promise<QueuedPrompt[]> {
  // A page starts from the beginning if the last prompt of the former page no longer waits.
  const queue = new Map<string, QueuedPrompt>();
  let cursor: string | undefined;
  do {
    const request = { params: { id: session }, query: { cursor } };
    const page = await daemon().call("GET /v1/sessions/{id}/queue", request, signal);
    for (const prompt of page.queue) queue.set(prompt.message, prompt);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return [...queue.values()];
}
