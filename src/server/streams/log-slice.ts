/** Consecutive events of one log, with their frame. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import { isLabelChange } from "../../core/is-label-change.ts";
import { eventFrame } from "../../protocol/sse-frame.ts";
import { type Frame, frameOf } from "./frame.ts";

export class LogSlice {
  readonly first: number;
  readonly last: number;
  /** Characters of JSON. */
  readonly length: number;
  /** Undefined when only the frame is kept. */
  #events: readonly EncodedEvent[] | undefined;
  #frame: Frame | undefined;
  #closesSession: boolean | undefined;

  /** `events` must not be empty. */
  constructor(events: readonly EncodedEvent[]) {
    const newest = events.at(-1)!;
    this.first = events[0]!.seq;
    this.last = newest.seq;
    this.length = events.reduce((sum, event) => sum + event.json.length, 0);
    this.#events = events;
  }

  get events(): readonly EncodedEvent[] {
    return this.#events ?? eventsIn(this.frame);
  }

  /** Only labels follow the end of a session. */
  get closesSession(): boolean {
    this.#closesSession ??= closesSession(this.events);
    return this.#closesSession;
  }

  /** Encoded for the first reader and shared by all. */
  get frame(): Frame {
    this.#frame ??= frameOf(sseText(this.events));
    return this.#frame;
  }

  /** Call it before keeping the slice: one buffer stays in place, while the garbage collector moves strings. */
  compact(): void {
    if (this.#frame) this.#events = undefined;
    // Only the JSON counts towards the memory limit, so the events are dropped; a reader that needs them parses them
    // again.
    else for (const encoded of this.#events ?? []) encoded.event = undefined;
  }

  /** The part after `cursor`; the slice itself if that is everything. `cursor` must be before its last event. */
  after(cursor: number): LogSlice {
    return cursor < this.first ? this : new LogSlice(this.events.slice(cursor - this.first + 1));
  }
}

function closesSession(events: readonly EncodedEvent[]): boolean {
  const last = events.findLast((encoded) => !isLabelChange(eventOf(encoded)));
  return last !== undefined && eventOf(last).type === "session.closed";
}

/** What `sseText` was made from. */
function eventsIn({ plain }: Frame): EncodedEvent[] {
  const lines = plain.toString().split("\n");
  const events: EncodedEvent[] = [];
  // Three lines each: the id, the JSON, an empty line.
  for (let at = 0; at + 2 < lines.length; at += 3) {
    events.push({
      seq: Number(lines[at]!.slice("id: ".length)),
      json: lines[at + 1]!.slice("data: ".length),
    });
  }
  return events;
}

export function sseText(events: readonly EncodedEvent[]): string {
  let text = "";
  for (const event of events) text += eventFrame(event.seq, event.json);
  return text;
}

/** Cuts a batch so that no slice has more than `maxLength` characters, unless a single event has. */
export function cutSlices(events: readonly EncodedEvent[], maxLength: number): LogSlice[] {
  const slices: LogSlice[] = [];
  let start = 0;
  let length = 0;
  for (let index = 0; index < events.length; index += 1) {
    const size = events[index]!.json.length;
    if (index > start && length + size > maxLength) {
      slices.push(new LogSlice(events.slice(start, index)));
      start = index;
      length = 0;
    }
    length += size;
  }
  if (start < events.length) slices.push(new LogSlice(start === 0 ? events : events.slice(start)));
  return slices;
}
