/** Messages as this page gets them: the AI SDK's UIMessage with the data parts and metadata of the daemon. */
import type {
  AskData,
  UIMessage as DaemonMessage,
  DataParts,
  EditedInput,
  InterlinguaUIMessage,
  MessageMetadata,
  ToolPart,
  ToolState,
  UIMessagePart,
} from "../../../src/dialects/ai-sdk/index.ts";

/** What `useChat` is given and gives. */
export type ChatMessage = InterlinguaUIMessage;

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

export function isToolPart(part: UIMessagePart): part is ToolPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

/** A cast: the stock type of tool parts is stricter than ours. */
export function asDaemonMessage(message: ChatMessage): DaemonMessage {
  return message as unknown as DaemonMessage;
}
