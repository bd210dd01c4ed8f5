/** Messages as this page gets them: the AI SDK's UIMessage with the data parts and metadata of the daemon. */
import type { UIMessage as StockMessage } from "ai";
import type {
  AskData,
  UIMessage as DaemonMessage,
  DataParts,
  EditedInput,
  MessageMetadata,
  ToolPart,
  ToolState,
  UIMessagePart,
} from "../../../src/dialects/ai-sdk/index.ts";

/** What `useChat` is given and gives. */
export type ChatMessage = StockMessage<MessageMetadata>;

export type {
  AskData,
  DaemonMessage,
  DataParts,
  EditedInput,
  MessageMetadata,
  ToolPart,
  ToolState,
  UIMessagePart,
};

/** A cast: the stock type does not name our data parts. */
export function asDaemonMessage(message: ChatMessage): DaemonMessage {
  return message as unknown as DaemonMessage;
}
