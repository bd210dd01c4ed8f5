/** The AI SDK's UIMessage, as far as we make it: the parts of our chunks, and what we put into its metadata. */
import type { TurnError, TurnOutcome } from "../../core/event.ts";
import type { TokenUsage } from "../../core/usage.ts";
import type { DataChunk } from "./data-part.ts";

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Two levels: whose it is, then what. */
export type ProviderMetadata = Record<string, Record<string, JsonValue>>;

export interface MessageMetadata {
  session?: string;
  agent?: string;
  agentSessionId?: string;
  model?: string;
  turn?: string;
  /** The message an assistant message answers. */
  replyTo?: string;
  /** Of a user message: who sent it, by name. */
  by?: string;
  /** Milliseconds since the epoch. */
  createdAt?: number;
  usage?: TokenUsage;
  cost?: number;
  durationMs?: number;
  /** Of that time: how long an answer of a person was awaited. */
  waitedMs?: number;
  outcome?: TurnOutcome;
  error?: TurnError;
  /** After a restart of the daemon: whether the agent is known to have had the prompt. */
  delivery?: "known" | "unknown";
}

export interface UIMessage {
  id: string;
  role: "system" | "user" | "assistant";
  metadata?: MessageMetadata;
  parts: UIMessagePart[];
}

export type UIMessagePart =
  | TextPart
  | ToolPart
  | { type: "file"; mediaType: string; url: string; filename?: string; providerMetadata?: ProviderMetadata }
  | { type: "source-url"; sourceId: string; url: string; title?: string }
  | { type: "source-document"; sourceId: string; mediaType: string; title: string; filename?: string }
  | { type: "step-start" }
  | DataChunk;

export interface TextPart {
  type: "text" | "reasoning";
  /** Reasoning only: newer clients keep the id of its chunks. */
  id?: string;
  text: string;
  state?: "streaming" | "done";
  providerMetadata?: ProviderMetadata;
}

export type ToolState =
  | "input-streaming"
  | "input-available"
  | "approval-requested"
  | "approval-responded"
  | "output-available"
  | "output-error"
  | "output-denied";

export interface ToolPart {
  type: `tool-${string}` | "dynamic-tool";
  /** Of a `dynamic-tool` only. */
  toolName?: string;
  toolCallId: string;
  state: ToolState;
  title?: string;
  providerExecuted?: boolean;
  input?: unknown;
  /** The text of an input that is still streaming. */
  rawInput?: string;
  output?: unknown;
  preliminary?: boolean;
  errorText?: string;
  approval?: { id: string; approved?: boolean; reason?: string };
  callProviderMetadata?: ProviderMetadata;
}

export function isToolPart(part: UIMessagePart): part is ToolPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

/** Our own metadata of a part, where the AI SDK has no field. */
export function ourMetadata(values: Record<string, JsonValue>): ProviderMetadata {
  return { interlingua: values };
}
