/** Messages as this page gets them: the AI SDK's UIMessage with the data parts and metadata of the daemon. */
import type {
  UIMessage as DaemonMessage,
  InterlinguaUIMessage,
  ToolPart,
  UIMessagePart,
} from "../../../src/dialects/ai-sdk/index.ts";

/** What `useChat` is given and gives. */
export type ChatMessage = InterlinguaUIMessage;

export type {
  AskData,
  DataParts,
  EditedInput,
  MessageMetadata,
  ToolState,
} from "../../../src/dialects/ai-sdk/index.ts";
export type { DaemonMessage, ToolPart, UIMessagePart };

export function isToolPart(part: UIMessagePart): part is ToolPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

/** A cast: the stock type of tool parts is stricter than ours. */
export function asDaemonMessage(message: ChatMessage): DaemonMessage {
  return message as unknown as DaemonMessage;
}

/** The id by which `data-discarded` names a text. */
export function partId(part: {
  providerMetadata?: Record<string, Record<string, unknown>>;
}): string | undefined {
  const id = part.providerMetadata?.interlingua?.part;
  return typeof id === "string" ? id : undefined;
}

/** Whether something in a message waits for a person. */
export function hasOpenAsk(message: ChatMessage): boolean {
  return asDaemonMessage(message).parts.some(
    (part) => part.type === "data-ask" && part.data.state === "open" && !part.data.answer,
  );
}
