/**
 * The protocol that the programs of our own two agents speak, as types: one JSON object per line. Requests go to the
 * program with an id and are answered with the same id. Everything else it says is an event. The `wire.ts` of each agent
 * adds what its program is opened with.
 *
 * The mock is shaped like what real agents speak, and shares no word with our event language, so that it is translated
 * like any other agent. What a model says comes as the parts of the AI SDK's stream, each with the provider's own chunk
 * it was made of.
 */
import type { FinishReason, LanguageModelUsage } from "ai";

export const WIRE_VERSION = 1;

/** Each agent has its own words for permissions and effort. */
export interface OwnConfiguration {
  model: string;
  /** The model agent has none: its permissions imply the mode. */
  mode?: string;
  permissions: string;
  /** How much it thinks. */
  effort: string;
}

export interface WireTool {
  name: string;
  kind: string;
}

export interface OpenResult {
  conversation: string;
  version: string;
  /** The mock: whether the conversation was there before. */
  continued?: boolean;
  /** The model agent: how many messages of an earlier conversation it was given. */
  restored?: number;
  configuration: OwnConfiguration;
  models: { id: string; name: string; description?: string }[];
  modes?: { id: string; name: string; description: string }[];
  commands: { name: string; description: string }[];
  /** The model agent adds the kind of each tool, since its calls name only the tool. */
  tools: (string | WireTool)[];
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

export interface PromptResult {
  /** The program's own id of the prompt. */
  accepted: string;
}

export interface AnswerParams {
  ask: string;
  option?: string;
  /** In the words of the model agent. */
  effect?: string;
  /** In those of the mock. */
  meaning?: WireMeaning;
  answers?: Record<string, string[]>;
  note?: string;
  input?: unknown;
}

export type OwnRequest<Open = object, Configuration = OwnConfiguration> =
  | { id: number; method: "open"; params: Open }
  | { id: number; method: "prompt"; params: PromptParams }
  | { id: number; method: "interrupt"; params: Record<string, never> }
  | { id: number; method: "answer"; params: AnswerParams }
  | { id: number; method: "configure"; params: Partial<Configuration> }
  | { id: number; method: "rewind"; params: { before: string } }
  | { id: number; method: "stop_task"; params: { task: string } };

export interface WireError {
  code: string;
  message: string;
}

export type WireResponse = { id: number; result: unknown } | { id: number; error: WireError };

export type WireMeaning = "allow" | "allow-always" | "deny";

/** The model agent says what an option does with `effect` and what it is about with `covers`; the mock has its own words. */
export type WireOption = { id: string; label: string } & (
  | { effect: "once" | "always" | "reject"; covers?: string[]; meaning?: never; tools?: never }
  | { meaning: WireMeaning; tools?: string[]; effect?: never; covers?: never }
);

export interface WireChange {
  path: string;
  change: "created" | "changed" | "deleted";
  diff?: string;
}

export interface WireQuestion {
  id: string;
  /** A word or two. */
  name?: string;
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

/** Whose content it is: of a call that delegated it, or of a task in the background. Absent: the agent's own. */
interface Owner {
  under?: string;
  task?: string;
}

export type TurnEnding = "done" | "cancelled" | "failed" | "refused" | "limit";

/** Both programs send these events. */
type CommonEvent =
  /** Without a prompt the agent began the turn by itself. */
  | { event: "turn_started"; turn: string; prompt?: string; cause?: string; text?: string; task?: string }
  | { event: "turn_finished"; turn: string; reason: TurnEnding; error?: WireError }
  /** It acts on a prompt that steers the turn; what follows answers it. */
  | { event: "steering_taken"; prompt: string }
  /** The turn ended before it could. */
  | { event: "steering_returned"; prompt: string; reason: string }
  | { event: "step_started"; step: number }
  | { event: "step_finished"; step: number }
  | { event: "call_output_delta"; call: string; text: string }
  | {
      event: "call_output";
      call: string;
      output: unknown;
      exitCode?: number;
      partial?: boolean;
      continues?: boolean;
    }
  | { event: "call_failed"; call: string; error: string; output?: unknown; exitCode?: number }
  | { event: "call_denied"; call: string; note?: string }
  | {
      event: "ask";
      ask: string;
      kind: "permission" | "question" | "plan";
      call?: string;
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
  /** The mock compacts only when a person says so, and names no trigger. */
  | { event: "compacting"; trigger?: "limit" | "manual" }
  | { event: "compacted"; summary: string; tokensBefore: number; tokensAfter: number }
  | { event: "remark"; level: "info" | "warning" | "error"; code: string; text: string }
  | { event: "configuration"; configuration: OwnConfiguration };

/** Only the mock sends these events. */
type MockEvent =
  | ({ event: "block_started"; block: string; kind: "text" | "thinking" } & Owner)
  | { event: "block_delta"; block: string; kind: "text" | "thinking"; text: string }
  | { event: "block_finished"; block: string; kind: "text" | "thinking" }
  | { event: "retracted"; blocks: string[]; calls: string[]; reason: string }
  | ({ event: "call_started"; call: string; tool: string; title: string; kind: string } & Owner)
  | { event: "call_input_delta"; call: string; text: string }
  | { event: "call_input"; call: string; input: unknown }
  | { event: "call_progress"; call: string; progress: unknown }
  | { event: "call_corrected"; call: string; output: unknown; exitCode?: number }
  | { event: "todo"; items: { text: string; state: "open" | "doing" | "done" }[] }
  | { event: "citation"; citation: string; url: string; title: string }
  | ({ event: "attachment" } & WireFile)
  | {
      event: "spent";
      tokens: { input: number; output: number; thinking?: number; cached?: number };
      dollars: number;
      model: string;
      window: number;
    }
  | { event: "task_started"; task: string; title: string; call?: string }
  | { event: "task_progress"; task: string; status: string; progress: number }
  | { event: "task_finished"; task: string; result: "done" | "failed" | "stopped"; summary: string };

/** Only the model agent sends these events. */
type ModelEvent =
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
  | { event: "plan"; items: { text: string; status: "pending" | "active" | "done" }[] }
  | { event: "title"; title: string }
  | { event: "compaction_failed"; reason: string }
  /** Without `compacting` before it: a check found nothing to do. */
  | { event: "compaction_skipped"; reason: string; tokens: number; limit?: number }
  | { event: "retry"; attempt: number; of: number; waitMs: number; code: string; reason: string };

export type WireEvent = CommonEvent | MockEvent | ModelEvent;
export type WireEventName = WireEvent["event"];
export type WireEventOf<Name extends WireEventName> = Extract<WireEvent, { event: Name }>;
