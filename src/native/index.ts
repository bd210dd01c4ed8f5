/**
 * `interlingua/native`: an agent's own messages as those of the AI SDK, for programs that run the agent themselves. No
 * daemon, no storage: messages in, messages out. Translates with the code that the daemon uses.
 *
 * @module
 */
import { type NativeMessage, SentMessage } from "./native-events.ts";

export type { SessionMetadata } from "../dialects/ai-sdk/library/message-accumulator.ts";
export { UI_MESSAGE_STREAM_HEADERS } from "../dialects/ai-sdk/sse.ts";
export type { UIMessage, UIMessagePart } from "../dialects/ai-sdk/ui-message.ts";
export {
  type NativeAccumulator,
  type NativeAdapter,
  type NativeAgent,
  type NativeStreamOptions,
  nativeAdapter,
} from "./native-adapter.ts";
export type { NativeEventsOptions, NativeMessage, SentMessage } from "./native-events.ts";

/**
 * Marks a message that went to the agent. With it prompts and answers to asks are in the conversation; without, only
 * what the agent tells of them is.
 *
 * @example
 * accumulator.process(sent({ jsonrpc: "2.0", id: 3, method: "session/prompt", params }));
 */
export function sent(message: NativeMessage): SentMessage {
  return new SentMessage(message);
}
