/**
 * Joining a stream replays the message from its first chunk, so for a moment there is less of it than was shown. Until
 * the replay has caught up, what was shown stays. Pure.
 */

interface Weighed {
  id: string;
  parts: readonly { type: string; text?: string }[];
}

/** The last message to show: `next`, or `shown` while `next` is the same message with less content. */
export function steadyMessage<Message extends Weighed>(
  shown: Message | undefined,
  next: Message,
  isStreaming: boolean,
): Message {
  if (!isStreaming || shown?.id !== next.id) return next;
  return weight(next) < weight(shown) ? shown : next;
}

/** A streaming message only grows: in parts, and in their text. */
function weight(message: Weighed): number {
  return message.parts.reduce((sum, { text = "" }) => sum + 1 + text.length, 0);
}
