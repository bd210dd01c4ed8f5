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

type Delta = EventOf<"text.delta" | "reasoning.delta" | "tool.input.delta" | "tool.output.delta">;

/** Adds an event to the events of a message, joining it with what it continues. Mutates `events`, never the event. */
export function addToMessage(events: SessionEvent[], event: SessionEvent): void {
  if (isDelta(event)) {
    const last = events.at(-1);
    if (last && isDelta(last) && target(last) === target(event)) last.delta += event.delta;
    // A copy, to which what follows is added.
    else events.push({ ...event });
    return;
  }
  // The final output is the truth; what was shown of it before is not kept beside it.
  if (event.type === "tool.output") dropPreviews(events, event.call);
  events.push(event);
}

/** Looks back no further than to the beginning of the call. */
function dropPreviews(events: SessionEvent[], call: string): void {
  const start = events.findLastIndex((event) => event.type === "tool.start" && event.call === call);
  let kept = Math.max(0, start);
  for (let at = kept; at < events.length; at += 1) {
    const event = events[at]!;
    if (!isPreviewOf(event, call)) events[kept++] = event;
  }
  events.length = kept;
}

function isDelta(event: SessionEvent): event is Delta {
  return event.type.endsWith(".delta");
}

function target(event: Delta): string {
  return "part" in event ? event.part : `${event.type} ${event.call}`;
}

function isPreviewOf(event: SessionEvent, call: string): boolean {
  if (event.type === "tool.output.delta") return event.call === call;
  return event.type === "tool.output" && event.preliminary === true && event.call === call;
}
