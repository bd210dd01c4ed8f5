/**
 * What a conversation says, in no dialect's words: the finest there is, in the order in which it was said. What a dialect
 * cannot say of it is written down as drops.
 */
import type { AskAnswer, AskEffect, AskOption, AskOutcome, AskQuestion } from "../../core/ask.ts";
import type { EventOf, TurnError, TurnOutcome } from "../../core/event.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import type { TokenUsage } from "../../core/usage.ts";

/** Messages in their order. */
export type Transcript = readonly TranscriptMessage[];

export interface TranscriptMessage {
  readonly id?: string;
  readonly role: "user" | "assistant" | "system";
  readonly content: readonly TranscriptPart[];
  /** Milliseconds since the epoch. */
  readonly at?: number;
  readonly turn?: string;
  /** The message it answers. */
  readonly replyTo?: string;
  /** Of a prompt: the files as they were before the agent got it. */
  readonly checkpoint?: string;
  readonly agent?: string;
  readonly model?: string;
  /** How the turn that ended with it ended. */
  readonly outcome?: TurnOutcome;
  readonly error?: TurnError;
  readonly delivery?: "known" | "unknown";
  readonly usage?: TokenUsage;
  readonly cost?: number;
  readonly durationMs?: number;
  readonly waitedMs?: number;
}

/** Whose it is, if not the agent's own: a call's sub-agent, or a task. */
export interface PartOrigin {
  readonly parent?: string;
  readonly task?: string;
}

/** Text up to where something else came in between; then it goes on in another one of the same `part`. */
export interface SaidPart extends PartOrigin {
  readonly type: "text" | "reasoning";
  readonly part?: string;
  readonly text: string;
  readonly purpose?: string;
  /** It has not ended. */
  readonly isOpen?: true;
  /** The agent took it back. */
  readonly isDiscarded?: true;
}

export interface CallResult {
  readonly state: "done" | "failed" | "denied" | "abandoned";
  readonly output?: unknown;
  /** Why it failed, was denied or abandoned. */
  readonly error?: string;
  readonly truncatedFrom?: number;
  readonly exitCode?: number | null;
  readonly metadata?: unknown;
  /** It goes on as a task. */
  readonly isRunning?: true;
}

/** A call, where it began. */
export interface CallPart extends PartOrigin {
  readonly type: "call";
  readonly call?: string;
  readonly name: string;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: EventOf<"tool.start">["locations"];
  /** Absent until it is complete. */
  readonly input?: unknown;
  /** Who changed the input before it was allowed, and what the agent had proposed. */
  readonly edited?: { readonly by: string; readonly proposed?: unknown };
  readonly result?: CallResult;
  /** What its result became later. */
  readonly amended?: CallResult;
  /** More became known of it after it began. */
  readonly isUpdated?: true;
  readonly isDiscarded?: true;
}

/** Where the agent had said all of a call, as it was known there. */
export interface CalledPart extends PartOrigin {
  readonly type: "called";
  readonly call?: string;
  readonly name: string;
  readonly input?: unknown;
  /** Of dialects that show a call once: what became of it. */
  readonly result?: CallResult;
}

export interface AskPart extends PartOrigin {
  readonly type: "ask";
  readonly ask?: string;
  readonly kind?: "permission" | "question" | "plan";
  readonly call?: string;
  readonly title?: string;
  readonly description?: string;
  readonly options?: readonly AskOption[];
  readonly questions?: readonly AskQuestion[];
  readonly editable?: true;
  readonly changes?: EventOf<"ask.opened">["changes"];
  readonly detail?: unknown;
  readonly url?: string;
  readonly expiresAt?: number;
  readonly state?: "open" | "answered" | AskOutcome;
  readonly answer?: AskAnswer & { readonly effect?: AskEffect; readonly by?: string };
  readonly delivered?: boolean;
  /** It has no turn: the turn goes on while it is open. */
  readonly isBeside?: true;
}

/** Where an ask was answered. */
export interface AnsweredPart extends PartOrigin {
  readonly type: "answered";
  readonly ask: string;
  readonly isExpired?: true;
}

export type OtherPart = PartOrigin &
  (
    | Extract<PromptPart, { type: "file" | "context" }>
    | { readonly type: "source"; readonly [field: string]: unknown }
    | {
        readonly type: "file_edit";
        readonly path: string;
        readonly kind?: string;
        readonly diff?: string;
        readonly from?: string;
        readonly call?: string;
      }
    | { readonly type: "notice"; readonly level: string; readonly code: string; readonly text: string }
    | { readonly type: "plan"; readonly entries: EventOf<"plan.updated">["entries"] }
    | { readonly type: "summary"; readonly calls: readonly string[]; readonly text: string }
    | { readonly type: "compaction"; readonly state?: "started" | "ended"; readonly [field: string]: unknown }
  );

export type TranscriptPart = SaidPart | CallPart | CalledPart | AskPart | AnsweredPart | OtherPart;
export type PartType = TranscriptPart["type"];
export type PartOf<Type extends PartType> = Type extends SaidPart["type"]
  ? SaidPart
  : Extract<TranscriptPart, { type: Type }>;
