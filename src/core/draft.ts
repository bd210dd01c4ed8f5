/**
 * Drafts: what a translator says happened. A draft is an event without a place in the log. Its `part`, `call`,
 * `ask`, `task` and `parent` are the agent's own ids; the session machine gives ours and keeps the native ones
 * beside them. Drafts may be sloppy (a delta without a start, a result for an unknown call, an end that never
 * comes): the machine makes a well-formed log of them.
 */
import type { EventOf, EventType } from "./event.ts";

type AgentEventType = Exclude<
  EventType,
  | "session.created"
  | "session.detached"
  | "session.closed"
  | "conversation.rewound"
  | `prompt.${string}`
  | "turn.started"
  | "turn.stopping"
  | "turn.ended"
  | "message.started"
  | "message.system"
  | "step.started"
  | "step.ended"
  | "ask.answered"
  | "session.attached"
  | `checkpoint.${string}`
>;

type Stamped = "session" | "seq" | "at" | "turn" | "message" | "raw" | "native";

type DraftOf<Type extends AgentEventType> = Omit<EventOf<Type>, Stamped>;

export type Draft =
  | { [Type in Exclude<AgentEventType, "agent.unknown">]: DraftOf<Type> }[Exclude<
      AgentEventType,
      "agent.unknown"
    >]
  | Omit<EventOf<"agent.unknown">, Exclude<Stamped, "native">>
  | Omit<EventOf<"session.attached">, Stamped | "generation">
  | { type: "step.started" }
  | { type: "step.ended"; reason?: string }
  /** The agent began to work by itself; `cause` names why, `text` tells it to a person. */
  | { type: "turn.started"; cause: string; text: string }
  | {
      type: "turn.ended";
      outcome: EventOf<"turn.ended">["outcome"];
      error?: EventOf<"turn.ended">["error"];
    };

export type DraftType = Draft["type"];
