/**
 * Messages: the conversation as a fold over the log. A message record keeps the events that made it, with
 * consecutive deltas joined and previews dropped. That loses nothing a dialect can show, is independent of all of
 * them, and makes "stored equals live" true by construction: history goes through the same encoder as the stream.
 */
import type { EventOf, SessionEvent } from "./event.ts";
import type { PromptPart } from "./prompt-part.ts";

/** Raised when the fold changes; stored records of another version are folded again from the log. */
export const MESSAGE_FOLD_VERSION = 1;

/** One message of the conversation. */
export interface MessageRecord {
  id: string;
  role: "user" | "assistant" | "system";
  at: number;
  turn?: string;
  /** Assistant messages: which message this answers. */
  replyTo?: string;
  /** User messages: what was said. */
  parts?: PromptPart[];
  /** User messages: who sent it, by name. Absent in older logs. */
  by?: string;
  /** User messages: the files as they were before the agent got it. */
  checkpoint?: string;
  /** System messages: why the agent began by itself. */
  text?: string;
  /** Assistant messages: the events that made it. */
  events?: SessionEvent[];
}

type Delta = EventOf<"text.delta" | "reasoning.delta" | "tool.input.delta" | "tool.output.delta">;

/**
 * The stored events of one message: consecutive deltas are joined, and the final output replaces previews. Each event
 * costs the same, however many there are.
 */
export class MessageEvents {
  /** Undefined where a preview was. */
  #events: (SessionEvent | undefined)[] = [];
  #sizes: number[] = [];
  #gaps = 0;
  /** The positions of each call's previews. */
  readonly #previews = new Map<string, number[]>();
  /** How large all of it is as JSON, in characters. */
  bytes = 0;

  /** Never changes the event. `bytes` is its size as JSON; without it `bytes` counts nothing. */
  add(event: SessionEvent, bytes = 0): void {
    if (isDelta(event)) {
      const last = this.#events.at(-1);
      if (last && isDelta(last) && target(last) === target(event)) {
        last.delta += event.delta;
        const added = bytes === 0 ? 0 : event.delta.length;
        this.#sizes[this.#sizes.length - 1]! += added;
        this.bytes += added;
        return;
      }
    }
    // The final output replaces its previews.
    if (event.type === "tool.output") this.#dropPreviews(event.call);
    const call = previewedCall(event);
    if (call !== undefined) this.#notePreview(call);
    // A delta is copied, because later ones are appended to it.
    this.#events.push(isDelta(event) ? { ...event } : event);
    this.#sizes.push(bytes);
    this.bytes += bytes;
  }

  clear(): void {
    this.#events = [];
    this.#sizes = [];
    this.#previews.clear();
    this.#gaps = 0;
  }

  all(): SessionEvent[] {
    return this.#gaps === 0
      ? (this.#events as SessionEvent[])
      : this.#events.filter((event) => event !== undefined);
  }

  #notePreview(call: string): void {
    const places = this.#previews.get(call);
    if (places) places.push(this.#events.length);
    else this.#previews.set(call, [this.#events.length]);
  }

  #dropPreviews(call: string): void {
    for (const place of this.#previews.get(call) ?? []) {
      this.#events[place] = undefined;
      this.bytes -= this.#sizes[place]!;
      this.#gaps += 1;
    }
    this.#previews.delete(call);
    if (this.#gaps > 1000 && this.#gaps * 2 > this.#events.length) this.#close();
  }

  /** Removes the gaps once they are the larger part, so that they cost nothing in the long run. */
  #close(): void {
    const kept = this.#events.flatMap((event, place) =>
      event ? [[event, this.#sizes[place]!] as const] : [],
    );
    const bytes = this.bytes;
    this.clear();
    for (const [event, size] of kept) {
      const call = previewedCall(event);
      if (call !== undefined) this.#notePreview(call);
      this.#events.push(event);
      this.#sizes.push(size);
    }
    this.bytes = bytes;
  }
}

function isDelta(event: SessionEvent): event is Delta {
  return event.type.endsWith(".delta");
}

function target(event: Delta): string {
  return "part" in event ? event.part : `${event.type} ${event.call}`;
}

function previewedCall(event: SessionEvent): string | undefined {
  if (event.type === "tool.output.delta") return event.call;
  return event.type === "tool.output" && event.preliminary === true ? event.call : undefined;
}
