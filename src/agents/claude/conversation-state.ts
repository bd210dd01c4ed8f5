/** What both halves of Claude Code's protocol remember. It is bounded by what is open. */
import type { Setting } from "../../core/setting.ts";
import type { CanUseTool, Elicitation, OwnRequest, WireModel, WireUsage } from "./wire.ts";

/** A prompt that was written to Claude Code and whose turn has not ended. */
export interface SentPrompt {
  readonly uuid: string;
  /** Our id of it; undefined for words that came with an answer, which are no message of their own. */
  readonly message?: string;
  /** Whether it began a turn of ours; else it was sent into a running one. */
  readonly opensTurn: boolean;
  /** Whether Claude Code is known to act on it. */
  readonly isTaken: boolean;
  readonly isReceived: boolean;
}

/** A text that streams is kept to be compared with the whole one that follows. */
export interface TextBlock {
  readonly kind: "text" | "reasoning";
  /** What was said, or the beginning of it. */
  readonly text: string;
  /** How long all of it is. */
  readonly length: number;
  readonly isWhole: boolean;
}

export type Block = TextBlock | { readonly kind: "call"; readonly call: string } | { readonly kind: "other" };

export interface StreamedMessage {
  readonly id: string;
  readonly model?: string;
  readonly usage: WireUsage;
  /** Its end was announced, with its final usage. */
  readonly isCounted: boolean;
  readonly blocks: readonly Block[];
}

export interface KnownCall {
  readonly name: string;
  readonly input?: unknown;
}

export interface Task {
  readonly title: string;
  readonly kind: "command" | "agent";
  readonly call?: string;
  readonly isInBackground: boolean;
}

export interface PlanEntry {
  readonly id: string;
  readonly text: string;
  readonly status: "pending" | "active" | "done";
}

export interface ClaudeState {
  readonly opening: "new" | "sent" | "ready" | { readonly failed: string };
  /** Undefined when it does not tell. */
  readonly isSignedIn?: boolean;
  /** It was told to stop because its process is about to be ended. */
  readonly isShuttingDown: boolean;
  /** The process this is about; its number makes ids of prompts unlike those of an earlier one. */
  readonly process?: number;
  /** The conversation the process was started to resume. */
  readonly resumed?: string;
  /** Control requests we have made, and those not answered yet. */
  readonly requestCount: number;
  readonly requests: ReadonlyMap<string, OwnRequest>;
  /** What Claude Code asked for a person to decide. */
  readonly asks: ReadonlyMap<string, CanUseTool | Elicitation>;
  /** What it asked that we cannot do; it waits until it is told so. */
  readonly declined: readonly { readonly id: string; readonly subtype: string }[];
  readonly hasCommands: boolean;
  readonly models?: readonly WireModel[];
  readonly hasAskedSettings: boolean;
  /** Its settings as it last told; undefined until it has. */
  readonly settings?: readonly Setting[];
  /** What is known to be set: told again when a change is refused. */
  readonly model?: string;
  readonly permissionMode?: string;
  /** The conversation this process speaks in. */
  readonly conversation?: string;

  /** The newest entry of it, by its id. */
  readonly lastEntry?: string;

  /** How many prompts this process was given. */
  readonly promptCount: number;
  readonly prompts: readonly SentPrompt[];
  /** Whether a turn of ours is open, as far as can be told from here. */
  readonly isTurnOpen: boolean;
  /** Whether Claude Code is between the start and the result of a turn of its own. */
  readonly isWorking: boolean;
  /** Whether this version tells what becomes of each prompt. */
  readonly tellsLifecycle: boolean;
  /** The prompt whose answer begins with the next thing the model says. */
  readonly takenUp?: string;
  readonly hasSpoken: boolean;
  readonly stopReason?: string;
  /** The failure that was reported in place of a message. */
  readonly failure?: { readonly code: string; readonly text: string };

  readonly stream?: StreamedMessage;
  /** The messages that come whole, by the call they stand under: which one it is, and how many blocks of it came. */
  readonly wholeMessages: ReadonlyMap<string, { readonly id: string; readonly blocks: number }>;
  /** How many messages came without an id. */
  readonly namelessCount: number;
  /** Calls without a result. */
  readonly calls: ReadonlyMap<string, KnownCall>;
  readonly tasks: ReadonlyMap<string, Task>;
  /** The task whose end wakes the agent next. */
  readonly wokenBy?: { readonly task: string; readonly text: string };
  readonly plan: readonly PlanEntry[];
  readonly compaction?: { readonly tokensBefore?: number; readonly tokensAfter?: number };

  /** Whether a turn of this process has ended. */
  readonly hasResult: boolean;
  /** What was accounted for since the process began: its own counts are totals. */
  readonly spent: { readonly input: number; readonly output: number; readonly cost: number };
  /** Of that, what was accounted for when the last turn ended. */
  readonly spentAtResult: { readonly input: number; readonly output: number };
  readonly contextUsed?: number;
}

export const INITIAL_STATE: ClaudeState = {
  opening: "new",
  hasAskedSettings: false,
  isShuttingDown: false,
  requestCount: 0,
  requests: new Map(),
  asks: new Map(),
  declined: [],
  hasCommands: false,
  promptCount: 0,
  prompts: [],
  isTurnOpen: false,
  isWorking: false,
  tellsLifecycle: false,
  hasSpoken: false,
  wholeMessages: new Map(),
  namelessCount: 0,
  calls: new Map(),
  tasks: new Map(),
  plan: [],
  hasResult: false,
  spent: { input: 0, output: 0, cost: 0 },
  spentAtResult: { input: 0, output: 0 },
};
