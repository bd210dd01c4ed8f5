/**
 * The protocol between the adapter and the agent's program, as types: one JSON object per line. The first line to it is
 * `ModelAccess`, which is not recorded, since it holds secrets. Requests go to it with an id and are answered with the same id; everything else it says is an event. What the model says comes as the parts of
 * the AI SDK's stream, each with the provider's own chunk it was made of.
 */
import type { FinishReason, LanguageModelUsage } from "ai";
import type { ModelProviders, WebAccess } from "../../core/model-provider.ts";

export const WIRE_VERSION = 1;

export type WirePermissions = "default" | "plan" | "acceptEdits" | "bypass";
export type WireEffort = "default" | "none" | "low" | "medium" | "high";

export interface WireConfiguration {
  /** `provider/model`. */
  model: string;
  permissions: WirePermissions;
  effort: WireEffort;
}

/** What the program works with and nobody else may see. It is neither in its environment nor among the requests. */
export interface ModelAccess {
  providers: ModelProviders;
  mcpServers: Readonly<Record<string, WireMcpServer>>;
  web?: WebAccess;
  /** The variables that lead to models and searches: addresses and keys. */
  variables: Readonly<Record<string, string>>;
}

export interface OpenParams {
  wire: number;
  configuration: Partial<WireConfiguration>;
  /** The only provider there is, for agents that are named after one. */
  provider?: string;
  /** A directory of its own for as long as it runs. */
  directory: string;
  /** Whether the conversation has a title already. */
  hasTitle?: boolean;
  /** A file with the conversation so far. The program removes it. */
  history?: string;
  /** How many times a turn may ask the model. */
  maxSteps?: number;
  /** Summarise the conversation once it has this many tokens. */
  compactAt?: number;
  /** How many messages a summary leaves as they are. */
  keepMessages?: number;
  maxRetries?: number;
  instructions?: string;
}

export type WireMcpServer =
  | { command: string; args: string[]; env?: Record<string, string> }
  | { type: "http" | "sse"; url: string; headers?: Record<string, string> };

export interface WireTool {
  name: string;
  kind: string;
}

export interface OpenResult {
  conversation: string;
  version: string;
  /** How many messages of an earlier conversation it was given. */
  restored: number;
  configuration: WireConfiguration;
  models: { id: string; name: string }[];
  commands: { name: string; description: string }[];
  tools: WireTool[];
}

export interface WireFile {
  url: string;
  mediaType: string;
  filename?: string;
}

export interface PromptParams {
  prompt: string;
  text: string;
  /** What a conversation that begins with it may be called. */
  title?: string;
  files: WireFile[];
  /** Fold it into the running turn. */
  steer?: boolean;
}

export interface AnswerParams {
  ask: string;
  option?: string;
  effect?: string;
  answers?: Record<string, string[]>;
  note?: string;
  input?: unknown;
}

export type WireRequest =
  | { id: number; method: "open"; params: OpenParams }
  | { id: number; method: "prompt"; params: PromptParams }
  | { id: number; method: "interrupt"; params: Record<string, never> }
  | { id: number; method: "answer"; params: AnswerParams }
  | { id: number; method: "configure"; params: Partial<WireConfiguration> }
  | { id: number; method: "rewind"; params: { before: string } };

export interface WireError {
  code: string;
  message: string;
}

export interface PromptResult {
  /** The program's own id of the prompt. */
  accepted: string;
}

export type WireResponse = { id: number; result: unknown } | { id: number; error: WireError };

export interface WireOption {
  id: string;
  label: string;
  effect: "once" | "always" | "reject";
  /** What `always` is about: the rules it adds. */
  covers?: string[];
}

export interface WireChange {
  path: string;
  change: "created" | "changed" | "deleted";
  diff?: string;
}

export interface WireQuestion {
  id: string;
  text: string;
  options?: { label: string; description?: string }[];
  multiple?: boolean;
  /** Whether an answer that is none of the options is taken. */
  free?: boolean;
}

/** The parts of the AI SDK's stream that the translator reads. All others are passed over. */
export type WirePart =
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; text: string }
  | { type: "tool-input-start"; id: string; toolName: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: unknown; invalid?: boolean }
  | { type: "tool-error"; toolCallId: string; toolName: string; error: string }
  | { type: "source"; id: string; url?: string; title?: string }
  | { type: "file"; file: { base64: string; mediaType: string } }
  | { type: "finish-step"; finishReason: FinishReason; rawFinishReason?: string; usage: LanguageModelUsage }
  | { type: "error"; error: unknown }
  | { type: "start" | "start-step" | "finish" | "abort" | "custom" | "raw" | "ping" | "reasoning-file" };

export type TurnEnding = "done" | "cancelled" | "failed" | "refused" | "limit";

export type WireEvent =
  | { event: "turn_started"; turn: string; prompt: string }
  | { event: "turn_finished"; turn: string; reason: TurnEnding; error?: WireError }
  | { event: "steering_taken"; prompt: string }
  | { event: "steering_returned"; prompt: string; reason: string }
  | { event: "step_started"; step: number }
  | { event: "step_finished"; step: number }
  /** `request` counts the requests to models: the ids of parts are unique in one only. */
  | {
      event: "part";
      request: number;
      part: WirePart;
      /** What the provider sent, and the model. */
      original?: unknown;
      model?: string;
      /** With `finish-step`: what it cost and how much fits into the model, where that is known. */
      dollars?: number;
      window?: number;
      /** With `finish-step`: it was no part of the conversation, a summary say. */
      isAside?: boolean;
    }
  | { event: "discarded"; request: number; parts: string[]; calls: string[]; reason: string }
  | { event: "call_described"; call: string; tool: string; title: string }
  | { event: "call_output_delta"; call: string; text: string }
  | { event: "call_output"; call: string; output: unknown; exitCode?: number }
  | { event: "call_failed"; call: string; error: string; output?: unknown; exitCode?: number }
  | { event: "call_denied"; call: string; note?: string }
  | {
      event: "ask";
      ask: string;
      kind: "permission" | "question" | "plan";
      call: string;
      title: string;
      details?: string;
      options: WireOption[];
      questions?: WireQuestion[];
      changes?: WireChange[];
      /** The answer may have another input for the call. */
      editable?: true;
    }
  | { event: "ask_withdrawn"; ask: string }
  | ({ event: "file_changed"; call: string } & WireChange)
  | { event: "plan"; items: { text: string; status: "pending" | "active" | "done" }[] }
  | { event: "title"; title: string }
  | { event: "compacting"; trigger: "limit" | "manual" }
  | { event: "compacted"; summary: string; tokensBefore: number; tokensAfter: number }
  | { event: "compaction_failed"; reason: string }
  /** Without `compacting` before it: a check found nothing to do. */
  | { event: "compaction_skipped"; reason: string; tokens: number; limit?: number }
  | { event: "retry"; attempt: number; of: number; waitMs: number; code: string; reason: string }
  | { event: "remark"; level: "info" | "warning" | "error"; code: string; text: string }
  | { event: "configuration"; configuration: WireConfiguration };

export type WireEventName = WireEvent["event"];
export type WireEventOf<Name extends WireEventName> = Extract<WireEvent, { event: Name }>;
