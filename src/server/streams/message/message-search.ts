/** Finds the beginning of an assistant message in a log, and what is known of its session there. */

import { type EncodedEvent, eventOf } from "../../../core/encoded-event.ts";
import type { SessionEvent } from "../../../core/event.ts";
import type { SessionFacts } from "../../../dialects/dialect.ts";

export class MessageSearch {
  readonly #wanted: string;
  /** The turn that took up the prompt. */
  #turn: string | undefined;
  #found: { seq: number; message: string } | undefined;
  #isHopeless = false;
  readonly session: SessionFacts;

  /** `wanted` is the id of the message, or of the one it answers. */
  constructor(wanted: string, session: SessionFacts) {
    this.#wanted = wanted;
    this.session = { ...session };
  }

  get found(): { seq: number; message: string } | undefined {
    return this.#found;
  }

  /** There will be no such message. */
  get isHopeless(): boolean {
    return this.#isHopeless;
  }

  look(events: readonly EncodedEvent[]): void {
    for (const encoded of events) {
      if (this.#found || this.#isHopeless) return;
      this.#read(eventOf(encoded));
    }
  }

  #read(event: SessionEvent): void {
    const wanted = this.#wanted;
    switch (event.type) {
      case "session.attached":
      case "session.updated":
        this.session.agentSessionId = event.agentSessionId ?? this.session.agentSessionId;
        return;
      case "message.started":
        if (event.message === wanted || event.replyTo === wanted)
          this.#found = { seq: event.seq, message: event.message };
        return;
      case "prompt.dispatched":
        if (event.message === wanted) this.#turn = event.turn;
        return;
      case "prompt.returned":
        if (event.message === wanted) this.#turn = undefined;
        return;
      case "prompt.withdrawn":
        this.#isHopeless = event.message === wanted;
        return;
      case "turn.ended":
        // A steered prompt may have been answered together with the next one.
        this.#isHopeless = event.turn === this.#turn;
        return;
      case "session.closed":
        this.#isHopeless = true;
    }
  }
}
