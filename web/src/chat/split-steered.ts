/** Tells the prompts a running turn has not taken up yet from the conversation before them. Pure. */
import type { ChatMessage } from "./page-message.ts";

export interface SplitHistory {
  messages: ChatMessage[];
  /** They belong behind a message that is still being written, and so would stand in its way. */
  steered: ChatMessage[];
}

/**
 * The stored history leaves out a message that is being written, and has one that waits for a person at its end. So
 * prompts before it that directly follow another prompt of their turn were not taken up.
 */
export function splitSteered(messages: ChatMessage[]): SplitHistory {
  const last = messages.at(-1);
  const end = last && isWaiting(last) ? messages.length - 1 : messages.length;
  let first = end;
  while (first > 1 && isOfSameTurn(messages[first - 1]!, messages[first - 2]!)) first -= 1;
  return { messages: messages.toSpliced(first, end - first), steered: messages.slice(first, end) };
}

function isOfSameTurn(prompt: ChatMessage, before: ChatMessage): boolean {
  if (prompt.role !== "user" || before.role !== "user" || prompt.metadata?.turn === undefined) return false;
  return prompt.metadata.turn === before.metadata?.turn;
}

function isWaiting({ role, parts }: ChatMessage): boolean {
  return (
    role === "assistant" &&
    parts.some((part) => part.type === "data-ask" && (part.data as { state?: string }).state === "open")
  );
}
