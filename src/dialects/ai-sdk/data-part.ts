/**
 * Our `data-*` parts, for what the AI SDK has no part for: their names and data. A part with a known id replaces the
 * earlier one, so a plan, a count or the state of an ask appears once in a message.
 */
import type { AskAnswer, AskEffect, AskOutcome } from "../../core/ask.ts";
import type { EventOf, EventType, SessionEvent } from "../../core/event.ts";
import { isRecord } from "../../core/is-record.ts";
import type { TokenUsage } from "../../core/usage.ts";
import type { UIMessagePart } from "./ui-message.ts";

type Envelope = "session" | "seq" | "at" | "turn" | "message" | "raw" | "native" | "type";

/** The fields of an event without its place in the log. */
export type Details<Type extends EventType> = Omit<EventOf<Type>, Envelope>;

/** An ask as it was opened, and how it ended once it has. Its id is the `approvalId` of its approval request. */
export interface AskData extends Details<"ask.opened"> {
  state: "open" | AskOutcome;
  answer?: AskAnswer & { effect?: AskEffect; by: string };
  /** Whether the agent was told. */
  delivered?: boolean;
}

/** One finished part of a sub-agent or of background work, in the shape it would have at the top level. */
export interface SubagentData {
  /** The call that started the sub-agent. */
  parent?: string;
  task?: string;
  part: UIMessagePart;
}

/** What a result chunk has no field for. */
export interface ToolResultData {
  call: string;
  exitCode?: number | null;
  /** The size of the whole output, when it was cut. */
  truncatedFrom?: number;
  /** It goes on as a task. */
  running?: boolean;
  /** The output of a failed call so far. */
  output?: unknown;
  /** Why it ended without a result: a person stopped it, or its turn, its task or the agent ended first. */
  unfinished?: "stopped" | "lost";
}

/** An input that somebody changed before it was allowed. */
export interface EditedInput {
  by: string;
  /** What the agent would have run. */
  proposed: unknown;
}

/** By name, without `data-`. A type alias: `UIMessage` of `ai` wants an index signature, which an interface has not. */
export type DataParts = {
  ask: AskData;
  auth: Details<"auth.status">;
  compaction: { state: "started" | "ended" } & Details<"compaction.started"> & Details<"compaction.ended">;
  /** What the agent retracted: text by the `part` in its provider metadata, calls by their `toolCallId`. */
  discarded: Details<"content.discarded">;
  "file-edit": Details<"file.edited">;
  notice: Details<"notice">;
  plan: Details<"plan.updated">;
  subagent: SubagentData;
  /** Output of a running call as it comes; transient, the result has all of it. */
  "tool-output": Details<"tool.output.delta">;
  "tool-progress": Details<"tool.progress">;
  "tool-result": ToolResultData;
  "tool-summary": Details<"tool.summary">;
  /** What came too late for the tool part. */
  "tool-update": { call: string; name: string; title?: string; input: unknown; edited?: EditedInput };
  /** The sum over the message so far, and how full the context is. */
  usage: TokenUsage & Pick<Details<"usage">, "cost" | "model" | "context">;
};

export type DataChunk = {
  [Name in keyof DataParts]: { type: `data-${Name}`; id: string; data: DataParts[Name]; transient?: true };
}[keyof DataParts];

export function detailsOf<Type extends EventType>(event: EventOf<Type>): Details<Type> {
  const { session, seq, at, turn, message, raw, native, type, ...details } = event as SessionEvent & {
    native?: string;
  };
  return details as unknown as Details<Type>;
}

/** The input to show for a call that is asked about before it has one: the details of the ask. */
export function askedInput({ changes, detail }: Pick<AskData, "changes" | "detail">): unknown {
  const told = isRecord(detail) ? detail : { ...(detail !== undefined && { detail }) };
  return { ...told, ...(changes && { changes }) };
}
