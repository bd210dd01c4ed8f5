/**
 * The view of one message, moved along the log. Readers at the same position share one: it sees each slice of the log
 * once and keeps its frames as long as the slice is kept.
 */
import { eventOf } from "../../../core/encoded-event.ts";
import type { SessionEvent } from "../../../core/event.ts";
import type { MessageFrame, View } from "../../../dialects/dialect.ts";
import type { LogSlice } from "../log-slice.ts";
import { FrameBatch, type FrameEntry } from "./frame-batch.ts";

export class MessageTrack {
  readonly #view: View<MessageFrame>;
  readonly #start: number;
  readonly #batches = new WeakMap<LogSlice, FrameBatch>();
  /** The seq of the event to take next. */
  #next: number;

  /** `start` is the seq of the message's `message.started`. */
  constructor(start: number, view: View<MessageFrame>) {
    this.#start = start;
    this.#next = start;
    this.#view = view;
  }

  get next(): number {
    return this.#next;
  }

  /** Whether it is at the beginning of this slice, or has taken it before. */
  canTake(slice: LogSlice): boolean {
    if (this.#batches.has(slice)) return true;
    const isFirst = this.#next === this.#start && slice.first <= this.#start && this.#start <= slice.last;
    return isFirst || slice.first === this.#next;
  }

  /** The frames this slice adds. Only after `canTake`. */
  take(slice: LogSlice): FrameBatch {
    const known = this.#batches.get(slice);
    if (known) return known;
    const entries: FrameEntry[] = [];
    // A view that throws in the middle of a slice takes nothing any more.
    this.#next = Number.POSITIVE_INFINITY;
    for (const encoded of slice.events) if (encoded.seq >= this.#start) this.#add(eventOf(encoded), entries);
    this.#next = slice.last + 1;
    const batch = new FrameBatch(entries);
    this.#batches.set(slice, batch);
    return batch;
  }

  #add(event: SessionEvent, entries: FrameEntry[]): void {
    const { seq } = event;
    if (event.type === "ask.answered" || event.type === "ask.closed")
      entries.push({ seq, mark: "answered", text: "", ask: event.ask });
    for (const frame of this.#view.add(event)) entries.push({ seq, ...frame });
  }
}
