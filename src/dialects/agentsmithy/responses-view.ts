/** All responses of a session, one after the other: to each prompt, and to each answer that a response ended for. */
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { Frame, View } from "../dialect.ts";
import { type ResponseOptions, ResponseView } from "./outbound.ts";

const NO_FRAMES: readonly Frame[] = [];

export class ResponsesView implements View {
  readonly #options: Pick<ResponseOptions, "dialog" | "cwd">;
  #response: ResponseView | undefined;
  /** Prompts that wait. */
  readonly #prompts = new Map<string, EventOf<"prompt.accepted">>();
  /** The newest one. */
  #checkpoint: string | undefined;
  /** Asks that nobody has answered. */
  readonly #asks = new Map<string, EventOf<"ask.opened">>();

  constructor(options: Pick<ResponseOptions, "dialog" | "cwd">) {
    this.#options = options;
  }

  add(event: SessionEvent): readonly Frame[] {
    switch (event.type) {
      case "prompt.accepted":
        this.#prompts.set(event.message, event);
        break;
      case "checkpoint.created":
        this.#checkpoint = event.checkpoint;
        break;
      case "ask.opened":
        this.#asks.set(event.ask, event);
        break;
      case "prompt.dispatched":
        this.#answerPrompt(event);
        break;
      case "ask.answered":
      case "ask.closed":
        this.#goOnAfter(event.ask);
        break;
    }
    return this.#response?.add(event) ?? NO_FRAMES;
  }

  #answerPrompt({ message, steered }: EventOf<"prompt.dispatched">): void {
    const accepted = this.#prompts.get(message);
    this.#prompts.delete(message);
    if (steered || !accepted || (this.#response && !this.#response.isDone)) return;
    this.#begin({ prompt: message }, [accepted]);
  }

  #goOnAfter(ask: string): void {
    const opened = this.#asks.get(ask);
    this.#asks.delete(ask);
    if (!opened || !this.#response?.isDone) return;
    // The one that is answered comes last: then the others are known to be open.
    this.#begin({ ask }, [...this.#asks.values(), opened]);
  }

  #begin(to: ResponseOptions["to"], earlier: readonly SessionEvent[]): void {
    const checkpoint = this.#checkpoint;
    this.#response = new ResponseView({ ...this.#options, to, checkpointAt: () => checkpoint });
    for (const event of earlier) this.#response.add(event);
  }
}
