/**
 * Messages: the conversation as a fold over the log. A message record keeps the events that made it, with
 * consecutive deltas joined and previews dropped. That loses nothing a dialect can show, is independent of all of
 * them, and makes "stored equals live" true by construction: history goes through the same encoder as the stream.
 */

import type { EventOf, SessionEvent } from "./event.ts";
import type { PromptPart } from "./prompt-part.ts";

/** Raised when the fold changes; stored records of another version are folded again from the log. */
export const MESSAGE_FOLD_VERSION = 1;

export interface MessageRecord {
  id: string;
  role: "user" | "assistant" | "system";
  at: number;
  turn?: string;
  /** Assistant messages: which message this answers. */
  replyTo?: string;
  /** User messages: what was said. */
  parts?: PromptPart[];
  /** System messages: why the agent began by itself. */
  text?: string;
  /** Assistant messages: the events that made it. */
  events?: SessionEvent[];
}

type Delta = EventOf<"text.delta" | "reasoning.delta" | "tool.input.delta">;

/** Adds an event to the events of a message, joining it with what it continues. Mutates `events`. */
export function addToMessage(events: SessionEvent[], event: SessionEvent): void {
  const last = events.at(-1);
  if (isDelta(event) && last && isDelta(last) && sameTarget(last, event)) {
    events[events.length - 1] = { ...last, delta: last.delta + event.delta };
    return;
  }
  if (
    event.type === "tool.output" &&
    last?.type === "tool.output" &&
    last.preliminary &&
    last.call === event.call
  ) {
    events[events.length - 1] = event;
    return;
  }
  events.push(event);
}

function isDelta(event: SessionEvent): event is Delta {
  return event.type === "text.delta" || event.type === "reasoning.delta" || event.type === "tool.input.delta";
}

function sameTarget(a: Delta, b: Delta): boolean {
  if (a.type !== b.type) return false;
  if (a.type === "tool.input.delta") return b.type === "tool.input.delta" && a.call === b.call;
  return b.type !== "tool.input.delta" && a.part === b.part;
}
