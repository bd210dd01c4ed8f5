/**
 * The AI SDK dialect for programs that bring their own server: the pure functions that turn what an agent did, as
 * events or as stored messages, into what `useChat` shows, and back. Nothing here does I/O or needs Node.
 *
 * @module
 */
import type { MessageRecord } from "../../core/message-record.ts";
import type { MessageEncoderOptions } from "./outbound.ts";
import { toUIMessage } from "./to-ui-message.ts";
import type { UIMessage } from "./ui-message.ts";

export type { SessionEvent } from "../../core/event.ts";
export type { MessageRecord } from "../../core/message-record.ts";
export type { PromptPart } from "../../core/prompt-part.ts";
export * from "./index.ts";
export { type AdaptStreamOptions, adaptStream } from "./library/adapt-stream.ts";
export { adaptUserMessage } from "./library/adapt-user-message.ts";
export {
  createMessageAccumulator,
  type MessageAccumulator,
  type SessionMetadata,
} from "./library/message-accumulator.ts";

/**
 * One stored message of any role, as the UIMessage of a client that watched it live.
 *
 * @example
 * const messages = foldMessages(events).map((record) => adaptMessage(record, { session: { agent: "claude" } }));
 * const chat = useChat({ messages });
 */
export function adaptMessage(message: MessageRecord, options: MessageEncoderOptions = {}): UIMessage {
  return toUIMessage(message, options);
}
