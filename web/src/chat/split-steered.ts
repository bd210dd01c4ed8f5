/** Tells the prompts a running turn has not taken up yet from the conversation before them. Pure. */
import type { ChatMessage } from "./page-message.ts";

export interface SplitHistory {
  messages: ChatMessage[];
  /** They belong behind a message that is still being written, and so would stand in its way. */
  steered: ChatMessage[];
}

/**
 * The stored history leaves out a message that is being written, unless it waits for a person. So prompts at the end
 * were not taken up if they directly follow another prompt of their turn, or a message that waits.
 */
export function splitSteered(messages: ChatMessage[]): SplitHistory {
  const end = messages.findLastIndex(({ role }) => role !== "user") + 1;
  const last = messages[end - 1];
  const first = messages.findIndex((message, place) => {
    const before = messages[place - 1];
    if (place < end || !before || message.metadata?.turn === undefined) return false;
    return message.metadata.turn === before.metadata?.turn && (before !== last || isWaiting(before));
  });
  if (first < 0) return { messages, steered: [] };
  return { messages: messages.slice(0, first), steered: messages.slice(first) };
}

function isWaiting({ parts }: ChatMessage): boolean {
  return parts.some(
    (part) =>
      part.type === "data-ask" && "data" in part && (part.data as { state?: string }).state === "open",
  );
}
