/** Which message an event belongs to. */
import type { SessionEvent } from "./event.ts";

export class MessageIndex {
  /** Open asks and their messages: the `message` of an answer is what the person said, not an id. */
  readonly #asks = new Map<string, string>();

  messageOf(event: SessionEvent): string | undefined {
    if (event.type === "ask.answered") return this.#asks.get(event.ask);
    if (event.type === "ask.opened" && event.message !== undefined) this.#asks.set(event.ask, event.message);
    if (event.type === "ask.closed") this.#asks.delete(event.ask);
    return event.message;
  }
}
