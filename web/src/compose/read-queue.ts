/** The prompts of a session that wait, all of them. */
import { daemon } from "../api/client.ts";
import type { QueuedPrompt } from "../api/types.ts";

export interface Queue {
  readonly prompts: readonly QueuedPrompt[];
  /** None of them begins by itself: who wanted that, and since when. */
  readonly held: { by?: string; at: number } | undefined;
}

export async function readQueue(session: string, signal?: AbortSignal): Promise<Queue> {
  // A page starts from the beginning if the last prompt of the former page no longer waits.
  const queue = new Map<string, QueuedPrompt>();
  let cursor: string | undefined;
  let held: Queue["held"];
  do {
    const request = { params: { id: session }, query: { cursor } };
    const page = await daemon().call("GET /v1/sessions/{id}/queue", request, signal);
    for (const prompt of page.queue) queue.set(prompt.message, prompt);
    ({ cursor, held } = page);
  } while (cursor !== undefined);
  return { prompts: [...queue.values()], held };
}
