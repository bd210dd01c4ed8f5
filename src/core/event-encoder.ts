/**
 * Events → JSON, once for the log and all who read it. Nearly all events of a busy session are pieces of the same part and
 * differ in four fields; what they have in common is encoded once.
 */
import type { EventOf, SessionEvent } from "./event.ts";

type PartDelta = EventOf<"text.delta" | "reasoning.delta">;

/** For the events of one session. Its text is that of `JSON.stringify`. */
export class EventEncoder {
  /** The last piece of a part, and what stands before and after its numbers. */
  #last: PartDelta | undefined;
  #head = "";
  #rest = "";

  encode(event: SessionEvent): string {
    if (event.type !== "text.delta" && event.type !== "reasoning.delta") return JSON.stringify(event);
    if (!this.#last || !isSamePart(this.#last, event)) this.#prepare(event);
    const raw = event.raw === undefined ? "" : `,"raw":${event.raw}`;
    return `${this.#head}${event.seq},"at":${event.at}${raw}${this.#rest}${JSON.stringify(event.delta)}}`;
  }

  #prepare(event: PartDelta): void {
    const { session, type, turn, message, parent, task, part } = event;
    this.#last = event;
    this.#head = `{"session":${JSON.stringify(session)},"seq":`;
    // Without the braces around it, so that it goes on where the numbers end.
    this.#rest = `,${JSON.stringify({ type, turn, message, parent, task, part }).slice(1, -1)},"delta":`;
  }
}

function isSamePart(a: PartDelta, b: PartDelta): boolean {
  return (
    a.part === b.part &&
    a.type === b.type &&
    a.turn === b.turn &&
    a.message === b.message &&
    a.parent === b.parent &&
    a.task === b.task &&
    a.session === b.session
  );
}
