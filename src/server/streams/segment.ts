/** A stretch of one log without gaps, with its frame. */
import type { EncodedEvent } from "../../core/store.ts";
import { eventFrame } from "../../protocol/sse-frame.ts";
import { type Frame, frameOf } from "./frame.ts";

export class Segment {
  readonly events: readonly EncodedEvent[];
  /** Characters of JSON. */
  readonly length: number;
  #frame: Frame | undefined;

  /** `events` must not be empty. */
  constructor(events: readonly EncodedEvent[]) {
    this.events = events;
    this.length = events.reduce((sum, event) => sum + event.json.length, 0);
  }

  get first(): number {
    return this.events[0]!.seq;
  }

  get last(): number {
    return this.events.at(-1)!.seq;
  }

  get closesSession(): boolean {
    const { json } = this.events.at(-1)!;
    // The words alone may stand in any tool's output.
    return json.includes('"type":"session.closed"') && JSON.parse(json).type === "session.closed";
  }

  /** Made when the first reader asks; then the same bytes go to all of them. */
  get frame(): Frame {
    this.#frame ??= frameOf(sseText(this.events));
    return this.#frame;
  }

  /** What lies after `cursor`; itself when that is everything. `cursor` must be before its last event. */
  after(cursor: number): Segment {
    return cursor < this.first ? this : new Segment(this.events.slice(cursor - this.first + 1));
  }
}

export function sseText(events: readonly EncodedEvent[]): string {
  let text = "";
  for (const event of events) text += eventFrame(event.seq, event.json);
  return text;
}

/** Cuts a batch so that no segment has more than `maxLength` characters, unless a single event has. */
export function cutSegments(events: readonly EncodedEvent[], maxLength: number): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  let length = 0;
  for (const [index, event] of events.entries()) {
    if (index > start && length + event.json.length > maxLength) {
      segments.push(new Segment(events.slice(start, index)));
      start = index;
      length = 0;
    }
    length += event.json.length;
  }
  if (start < events.length) segments.push(new Segment(start === 0 ? events : events.slice(start)));
  return segments;
}
