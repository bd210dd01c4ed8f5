/**
 * The mock's own protocol, as types: one JSON object per line. Requests go to it with an id and are answered with
 * the same id; everything else it says is an event. It is shaped like what real agents speak, and shares no word
 * with our event language, so that the mock is translated like any other agent.
 */

export const WIRE_VERSION = 1;

export type WirePermissions = "ask" | "plan" | "allow-edits" | "allow-all";

export interface WireConfiguration {
  model: string;
  mode: string;
  permissions: WirePermissions;
  /** How much it would think. */
  effort: string;
}

export interface OpenParams {
  wire: number;
  /** The conversation to resume; a new one when absent. */
  conversation?: string;
  configuration: Partial<WireConfiguration>;
  /** How long its pauses are: 1 is human, 0 is none. */
  pace?: number;
  /** Names of environment variables whose values it must not write to its own files. */
  secretNames?: string[];
}

export interface OpenResult {
  conversation: string;
  version: string;
  /** Whether the conversation was there before. */
  continued: boolean;
  configuration: WireConfiguration;
  models: { id: string; name: string; description: string }[];
  modes: { id: string; name: string; description: string }[];
  commands: { name: string; description: string }[];
  tools: string[];
}

export interface WireFile {
  url: string;
  mediaType: string;
  filename?: string;
}

export interface PromptParams {
  prompt: string;
  text: string;
  files: WireFile[];
  /** Fold it into the running turn. */
  steer?: boolean;
}

export interface AnswerParams {
  ask: string;
  option?: string;
  meaning?: WireMeaning;
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
  | { id: number; method: "rewind"; params: { before: string } }
  | { id: number; method: "stop_task"; params: { task: string } };

export interface WireError {
  code: string;
  message: string;
}

export interface PromptResult {
  /** The mock's own id of the prompt. */
  accepted: string;
}

export type WireResponse = { id: number; result: unknown } | { id: number; error: WireError };

export type WireMeaning = "allow" | "allow-always" | "deny";

export interface WireOption {
  id: string;
  label: string;
  meaning: WireMeaning;
  /** The tools that `allow-always` is about. */
  tools?: string[];
}

export interface WireChange {
  path: string;
  change: "created" | "changed";
  diff: string;
}

export interface WireQuestion {
  id: string;
  name: string;
  text: string;
  options: { label: string; description?: string }[];
  free: boolean;
}

export interface WireTokens {
  input: number;
  output: number;
  thinking?: number;
  cached?: number;
}

/** Whose content it is: of a call that delegated it, or of a task in the background. Absent: the agent's own. */
interface Owner {
  under?: string;
  task?: string;
}

export type FinishReason = "done" | "cancelled" | "failed" | "refused" | "limit";

export type WireEvent =
  | { event: "turn_started"; turn: string; prompt?: string; cause?: string; text?: string; task?: string }
  /** It acts on a prompt that steers the turn; what follows answers it. */
  | { event: "steering_taken"; prompt: string }
  /** The turn ended before it could. */
  | { event: "steering_returned"; prompt: string; reason: string }
  | { event: "turn_finished"; turn: string; reason: FinishReason; error?: WireError }
  | { event: "step_started"; step: number }
  | { event: "step_finished"; step: number }
  | ({ event: "block_started"; block: string; kind: "text" | "thinking" } & Owner)
  | { event: "block_delta"; block: string; kind: "text" | "thinking"; text: string }
  | { event: "block_finished"; block: string; kind: "text" | "thinking" }
  | { event: "retracted"; blocks: string[]; calls: string[]; reason: string }
  | ({ event: "call_started"; call: string; tool: string; title: string; kind: string } & Owner)
  | { event: "call_input_delta"; call: string; text: string }
  | { event: "call_input"; call: string; input: unknown }
  | { event: "call_progress"; call: string; progress: unknown }
  | { event: "call_output_delta"; call: string; text: string }
  | {
      event: "call_output";
      call: string;
      output: unknown;
      exitCode?: number;
      partial?: boolean;
      continues?: boolean;
    }
  | { event: "call_failed"; call: string; error: string }
  | { event: "call_denied"; call: string; note?: string }
  | { event: "call_corrected"; call: string; output: unknown; exitCode?: number }
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
  | { event: "todo"; items: { text: string; state: "open" | "doing" | "done" }[] }
  | { event: "citation"; citation: string; url: string; title: string }
  | ({ event: "attachment" } & WireFile)
  | { event: "spent"; tokens: WireTokens; dollars: number; model: string; window: number }
  | { event: "remark"; level: "info" | "warning" | "error"; code: string; text: string }
  | { event: "configuration"; configuration: WireConfiguration }
  | { event: "compacting" }
  | { event: "compacted"; summary: string; tokensBefore: number; tokensAfter: number }
  | { event: "task_started"; task: string; title: string; call?: string }
  | { event: "task_progress"; task: string; status: string; progress: number }
  | { event: "task_finished"; task: string; result: "done" | "failed" | "stopped"; summary: string };

export type WireEventName = WireEvent["event"];
export type WireEventOf<Name extends WireEventName> = Extract<WireEvent, { event: Name }>;
