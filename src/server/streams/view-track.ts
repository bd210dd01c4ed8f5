/**
 * A view of a session, moved along the log. Readers that are level share one: it sees each slice of the log once and
 * keeps its frames as long as the slice is kept.
 */
import { eventOf } from "../../core/encoded-event.ts";
import type { View } from "../../dialects/dialect.ts";
import type { LogSlice } from "./log-slice.ts";
import { ViewBatch, type ViewEntry } from "./view-batch.ts";

export class ViewTrack {
  readonly #view: View;
  /** Undefined while it has one reader: nobody else would get what is kept. */
  #batches: WeakMap<LogSlice, ViewBatch> | undefined;
  /** The seq of the event to take next. */
  #next: number;

  /** The view gets the events after `from`. */
  constructor(view: View, from: number) {
    this.#view = view;
    this.#next = from + 1;
  }

  get next(): number {
    return this.#next;
  }

  share(): void {
    this.#batches ??= new WeakMap();
  }

  /** Whether it is at the beginning of this slice, or has taken it before. */
  canTake(slice: LogSlice): boolean {
    return slice.first === this.#next || (this.#batches?.has(slice) ?? false);
  }

  /** The frames this slice adds. Only after `canTake`. */
  take(slice: LogSlice): ViewBatch {
    const known = this.#batches?.get(slice);
    if (known) return known;
    const entries: ViewEntry[] = [];
    let closesSession = false;
    for (const encoded of slice.events) {
      const event = eventOf(encoded);
      for (const { text } of this.#view.add(event)) entries.push({ seq: event.seq, text });
      closesSession ||= event.type === "session.closed";
    }
    this.#next = slice.last + 1;
    const batch = new ViewBatch(entries, closesSession);
    this.#batches?.set(slice, batch);
    return batch;
  }
}
