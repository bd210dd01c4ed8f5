/** Whether a prompt waits for a lost node. Nobody knows for how long, so a stream of its answer ends and says so. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import { isWaitingFor } from "../../core/waiting-for.ts";

export class LostNodeWait {
  readonly #message: string;
  #reason: string | undefined;
  #hasBegun = false;

  constructor(message: string) {
    this.#message = message;
  }

  /** The sentence for the client. It holds once all committed events were looked at. */
  get reason(): string | undefined {
    return this.#reason;
  }

  look(events: readonly EncodedEvent[]): void {
    for (const encoded of events) {
      if (this.#hasBegun) return;
      const event = eventOf(encoded);
      if (event.type === "notice" && isWaitingFor(event.data)) this.#reason = event.text;
      if (event.type !== "prompt.dispatched" || event.message !== this.#message) continue;
      this.#hasBegun = true;
      this.#reason = undefined;
    }
  }
}
