/** Selects the events of one prompt: a fold over the log from its `prompt.accepted` on. */

import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { EventOf } from "../../core/event.ts";

export class PromptSelection {
  readonly #message: string;
  /** A turn that may turn out to be the prompt's: its `prompt.dispatched` comes right after. */
  #started: { event: EventOf<"turn.started">; encoded: EncodedEvent } | undefined;
  #turn: string | undefined;
  #isDone = false;

  constructor(message: string) {
    this.#message = message;
  }

  /** Whether the prompt's turn has ended, or will never run. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The events to send, in order. */
  select(events: readonly EncodedEvent[]): EncodedEvent[] {
    const selected: EncodedEvent[] = [];
    for (const encoded of events) {
      if (this.#isDone) break;
      if (this.#turn === undefined) this.#wait(encoded, selected);
      else this.#follow(encoded, selected);
    }
    return selected;
  }

  /** Until the prompt is taken up, what other turns do is left out: it would look like the answer to this prompt. */
  #wait(encoded: EncodedEvent, selected: EncodedEvent[]): void {
    const event = eventOf(encoded);
    const started = this.#started;
    this.#started = undefined;
    if (event.type === "turn.started") {
      this.#started = { event, encoded };
      return;
    }
    if (event.type === "prompt.dispatched" && event.message === this.#message) {
      this.#turn = event.turn;
      if (started?.event.turn === event.turn) selected.push(started.encoded);
      selected.push(encoded);
      return;
    }
    if (event.turn !== undefined) return;
    selected.push(encoded);
    this.#isDone =
      event.type === "session.closed" ||
      (event.type === "prompt.withdrawn" && event.message === this.#message);
  }

  #follow(encoded: EncodedEvent, selected: EncodedEvent[]): void {
    selected.push(encoded);
    const event = eventOf(encoded);
    // The agent did not take the prompt into the running turn after all.
    if (event.type === "prompt.returned" && event.message === this.#message) this.#turn = undefined;
    this.#isDone =
      event.type === "session.closed" || (event.type === "turn.ended" && event.turn === this.#turn);
  }
}
