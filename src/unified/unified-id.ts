/** The id of a UnifiedMessage that is made from a log: it follows from the session and the place, so it never changes. */
import { sha256 } from "./sha256.ts";

/**
 * Shaped like a UUID of version 4. `place` says which message of the session it is: `seq.index` for what an event says,
 * and `message:ID` for a message of the conversation.
 *
 * @example
 * unifiedId("demo", "42.0") === unifiedId("demo", "42.0"); // => true
 */
export function unifiedId(session: string, place: string): string {
  const words = sha256(`${session}\u0000${place}`);
  const version = (words[1]! & 0xffff_0fff) | 0x4000;
  const variant = (words[2]! & 0x3fff_ffff) | 0x8000_0000;
  const hex = [words[0]!, version, variant, words[3]!].map((word) =>
    (word >>> 0).toString(16).padStart(8, "0"),
  );
  const [first, second, third, fourth] = hex as [string, string, string, string];
  return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`;
}

/** The message that began this call: ids of calls have the seq of their first event. */
export function callMessageId(session: string, call: string): string {
  return unifiedId(session, `${call.slice(1)}.0`);
}

/** A message of the conversation: a prompt, or why the agent began by itself. */
export function conversationMessageId(session: string, message: string): string {
  return unifiedId(session, `message:${message}`);
}
