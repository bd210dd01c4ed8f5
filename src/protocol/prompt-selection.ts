/** Selects the events of one prompt: a fold over the log from its `prompt.accepted` on. */

/** What it looks at of an event. */
interface PromptEvent {
  readonly type: string;
  readonly turn?: string;
  readonly message?: string;
}

/** `Carrier` is what an event travels in; `eventOf` takes it out. */
export class PromptSelection<Carrier> {
  readonly #message: string;
  readonly #eventOf: (carrier: Carrier) => PromptEvent;
  /** A turn that may turn out to be the prompt's: its `prompt.dispatched` comes right after. */
  #started: { turn: string | undefined; carrier: Carrier } | undefined;
  #turn: string | undefined;
  #isDone = false;

  constructor(message: string, eventOf: (carrier: Carrier) => PromptEvent) {
    this.#message = message;
    this.#eventOf = eventOf;
  }

  /** Whether the prompt's turn has ended, or will never run. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The events to send, in order. */
  select(events: readonly Carrier[]): Carrier[] {
    const selected: Carrier[] = [];
    for (const carrier of events) {
      if (this.#isDone) break;
      if (this.#turn === undefined) this.#wait(carrier, selected);
      else this.#follow(carrier, selected);
    }
    return selected;
  }

  /** Until the prompt is taken up, what other turns do is left out: it would look like the answer to this prompt. */
  #wait(carrier: Carrier, selected: Carrier[]): void {
    const event = this.#eventOf(carrier);
    const started = this.#started;
    this.#started = undefined;
    if (event.type === "turn.started") {
      this.#started = { turn: event.turn, carrier };
      return;
    }
    if (event.type === "prompt.dispatched" && event.message === this.#message) {
      this.#turn = event.turn;
      if (started !== undefined && started.turn === event.turn) selected.push(started.carrier);
      selected.push(carrier);
      return;
    }
    if (event.turn !== undefined) return;
    selected.push(carrier);
    this.#isDone =
      event.type === "session.closed" ||
      (event.type === "prompt.withdrawn" && event.message === this.#message);
  }

  #follow(carrier: Carrier, selected: Carrier[]): void {
    selected.push(carrier);
    const event = this.#eventOf(carrier);
    // The agent did not take the prompt into the running turn after all.
    if (event.type === "prompt.returned" && event.message === this.#message) this.#turn = undefined;
    this.#isDone =
      event.type === "session.closed" || (event.type === "turn.ended" && event.turn === this.#turn);
  }
}
