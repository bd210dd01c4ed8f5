/**
 * The chunks of the AI SDK UI message stream that we send: only types and fields that every v6 and v7 client accepts.
 * Clients reject a whole stream for an unknown type, older ones for an unknown field, so nothing is added here lightly.
 */
import type { DataChunk } from "./data-part.ts";
import type { MessageMetadata, ProviderMetadata } from "./ui-message.ts";

export type FinishReason = "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";

export type UIMessageChunk =
  | { type: "start"; messageId: string; messageMetadata?: MessageMetadata }
  | { type: "start-step" }
  | { type: "finish-step" }
  | { type: "message-metadata"; messageMetadata: MessageMetadata }
  | { type: "finish"; finishReason: FinishReason; messageMetadata?: MessageMetadata }
  | { type: "abort" }
  | { type: "error"; errorText: string }
  | TextChunk
  | ToolChunk
  | { type: "file"; url: string; mediaType: string; providerMetadata?: ProviderMetadata }
  | { type: "source-url"; sourceId: string; url: string; title?: string }
  | { type: "source-document"; sourceId: string; mediaType: string; title: string; filename?: string }
  | DataChunk;

export type TextChunk =
  | { type: "text-start" | "reasoning-start"; id: string; providerMetadata?: ProviderMetadata }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "text-end" | "reasoning-end"; id: string };

interface ToolHead {
  toolCallId: string;
  toolName: string;
  title?: string;
  /** The agent runs it: the client neither executes it nor waits to. */
  providerExecuted?: boolean;
  dynamic?: true;
}

export type ToolChunk =
  | (ToolHead & { type: "tool-input-start" })
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | (ToolHead & { type: "tool-input-available"; input: unknown; providerMetadata?: ProviderMetadata })
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: true; dynamic?: true }
  | { type: "tool-output-error"; toolCallId: string; errorText: string; dynamic?: true }
  | { type: "tool-output-denied"; toolCallId: string };
