/**
 * A view of a session, moved along the log. Readers at the same event share one: it sees each slice of the log once and
 * keeps its frames as long as the slice is kept.
 */
import { eventOf } from "../../core/encoded-event.ts";
import type { View } from "../../dialects/dialect.ts";
import type { LogSlice } from "./log-slice.ts";
import { ViewBatch, type ViewEntry } from "./view-batch.ts";

export class ViewTrack {
  readonly view: View;
  readonly #from: number;
  /** Undefined while it has one reader: nobody else would get what is kept. */
  #batches: WeakMap<LogSlice, ViewBatch> | undefined;
  /** Whether the frames of all slices that it took are kept. */
  #keepsAll = false;
  /** The seq of the event to take next. */
  #next: number;

  /** The view gets the events after `from`. */
  constructor(view: View, from: number) {
    this.view = view;
    this.#from = from;
    this.#next = from + 1;
  }

  /** The view threw in the middle of a slice. What it has taken of it is unknown, so nobody may use it any more. */
  get isBroken(): boolean {
    return this.#next === Number.POSITIVE_INFINITY;
  }

  /** Infinite once it is broken. */
  get next(): number {
    return this.#next;
  }

  share(): void {
    if (this.#next === this.#from + 1) this.#keepsAll = true;
    this.#batches ??= new WeakMap();
  }

  /** Whether another reader can begin with it where the view began. */
  get canBegin(): boolean {
    return !this.isBroken && (this.#keepsAll || this.#next === this.#from + 1);
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
    this.#next = Number.POSITIVE_INFINITY;
    for (const encoded of slice.events) {
      const event = eventOf(encoded);
      for (const { text } of this.view.add(event)) entries.push({ seq: event.seq, text });
      closesSession ||= event.type === "session.closed";
    }
    this.#next = slice.last + 1;
    const batch = new ViewBatch(entries, closesSession);
    this.#batches?.set(slice, batch);
    return batch;
  }
}
