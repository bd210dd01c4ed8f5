/**
 * Drafts: what a translator says happened. A draft is an event without a place in the log. Its `part`, `call`,
 * `ask`, `task` and `parent` are the agent's own ids; the session machine gives ours and keeps the native ones
 * beside them. Drafts may be sloppy (a delta without a start, a result for an unknown call, an end that never
 * comes): the machine makes a well-formed log of them.
 */
import type { EventOf, EventType } from "./event.ts";
import type { ProposedChange, TextEdit } from "./proposed-change.ts";

type AgentEventType = Exclude<
  EventType,
  | "session.created"
  | "session.detached"
  | "session.closed"
  | "session.forked"
  | "conversation.rewound"
  | "prompt.accepted"
  | "prompt.changed"
  | "prompt.moved"
  | "prompt.held"
  | "prompt.withdrawn"
  | "prompt.dispatched"
  | "turn.started"
  | "turn.stopping"
  | "task.stopping"
  | "turn.ended"
  | "message.started"
  | "message.system"
  | "step.started"
  | "step.ended"
  | "ask.answered"
  | "session.attached"
  | `checkpoint.${string}`
  | "restore.started"
>;

type Stamped = "session" | "seq" | "at" | "turn" | "message" | "raw" | "native" | "agent" | "stopped";

type DraftOf<Type extends AgentEventType> = Omit<EventOf<Type>, Stamped>;

/**
 * Without `part` the draft is about the open part of that kind, or a new one, for agents that do not name their parts.
 */
type PartDraftOf<Type extends AgentEventType> = Omit<DraftOf<Type>, "part"> & { part?: string };

type PartType = Extract<AgentEventType, `text.${string}` | `reasoning.${string}`>;

/** Its changes may name the edits they are made of: the engine shows them where they stand in the file. */
type AskDraftOf<Type extends AgentEventType> = Omit<DraftOf<Type>, "changes"> & {
  changes?: ProposedChange[];
};

/** It may name the edits it is made of: the engine shows them where they were made in the file. */
type EditedDraft = DraftOf<"file.edited"> & { edits?: readonly TextEdit[] };

type AskType = "ask.opened" | "ask.updated";
type PlainType = Exclude<
  AgentEventType,
  | PartType
  | AskType
  | "agent.unknown"
  | "file.edited"
  | "prompt.received"
  | "prompt.returned"
  | "tool.updated"
  | "tool.input"
>;

/** What a translator says happened. */
export type Draft =
  | { [Type in PlainType]: DraftOf<Type> }[PlainType]
  | { [Type in PartType]: PartDraftOf<Type> }[PartType]
  | { [Type in AskType]: AskDraftOf<Type> }[AskType]
  | EditedDraft
  | { type: "agent.unknown"; native: string; text?: string }
  | Omit<DraftOf<"tool.input">, "by">
  /** The agent has a prompt; without `message` it is the oldest one it has not confirmed. */
  | { type: "prompt.received"; message?: string; native: string }
  /** The agent acts on a steered prompt now; without `message` on the oldest. What follows answers it. */
  | { type: "prompt.taken"; message?: string }
  /** The agent refused a steered prompt; without `message` the newest. */
  | { type: "prompt.returned"; message?: string; reason: string }
  | Omit<EventOf<"session.attached">, Stamped | "generation">
  /** The ask was answered through another client of the agent. */
  | {
      type: "ask.answered";
      ask: string;
      option?: string;
      answers?: Record<string, string[]>;
      message?: string;
    }
  | { type: "step.started" }
  | { type: "step.ended"; reason?: string }
  /** The agent began to work by itself; `cause` names the reason, `text` explains it to a person. */
  | { type: "turn.started"; cause: string; text: string; task?: string }
  | {
      type: "turn.ended";
      outcome: EventOf<"turn.ended">["outcome"];
      error?: EventOf<"turn.ended">["error"];
      /** Where it ended in the agent's own conversation. */
      native?: string;
      /** Ends only a turn that the agent began itself: a prompt may have begun another one meanwhile. */
      origin?: "agent";
    };

/** The type of a draft. */
export type DraftType = Draft["type"];
