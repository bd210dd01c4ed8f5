/** The AI SDK dialect: a session's messages as UIMessages, and as chunks of the UI message stream. */
export type { FinishReason, TextChunk, ToolChunk, UIMessageChunk } from "./chunk.ts";
export type {
  AskData,
  DataChunk,
  DataParts,
  EditedInput,
  SubagentData,
  ToolResultData,
} from "./data-part.ts";
export { ChunkFold, foldChunks } from "./fold-chunks.ts";
export type { InterlinguaUIMessage } from "./interlingua-ui-message.ts";
export { createMessageEncoder, type MessageEncoder, type MessageEncoderOptions } from "./outbound.ts";
export { askOf, joinSegments, type Segment, splitSegments, untilOpenAsk } from "./segments.ts";
export { DONE_FRAME, KEEP_ALIVE_FRAME, toSseFrame, UI_MESSAGE_STREAM_HEADERS } from "./sse.ts";
export { messageChunks } from "./to-ui-message.ts";
export type {
  MessageMetadata,
  ProviderMetadata,
  TextPart,
  ToolPart,
  ToolState,
  UIMessage,
  UIMessagePart,
} from "./ui-message.ts";
