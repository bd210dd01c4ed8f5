/** The asks of a session that are open: each is answered once, here or elsewhere. */
import { updateAsk } from "../../core/ask-update.ts";
import { InterlinguaError, type Session, type SessionEvent } from "../../sdk/index.ts";
import { type Answerer, type Ask, oneAtATime } from "./answer-asks.ts";
import { harmless } from "./style.ts";

export interface OpenAsksOptions {
  readonly answerer: Answerer;
  /** Whether the answerer is asked again when its answer was refused, or reached nobody. */
  readonly isPerson: boolean;
  /** Takes back every question. */
  readonly signal: AbortSignal;
  /** A line for the person. */
  note(text: string): void;
  /** Nobody can answer. */
  onUnanswered(ask: Ask): void;
  onError(error: unknown): void;
}

export class OpenAsks {
  readonly #session: Session;
  readonly #options: OpenAsksOptions;
  readonly #answerer: Answerer;
  /** Aborted when somebody else has answered. */
  readonly #open = new Map<string, { ask: Ask; taken: AbortController; isOurs: boolean }>();
  #isPaused = false;

  constructor(session: Session, options: OpenAsksOptions) {
    this.#session = session;
    this.#options = options;
    this.#answerer = oneAtATime(options.answerer);
  }

  see(event: SessionEvent): void {
    if (event.type === "ask.opened") this.#ask(event);
    else if (event.type === "ask.updated") this.#updated(event);
    else if (event.type === "ask.answered") this.#answered(event);
    else if (event.type === "ask.closed") this.#take(event.ask);
  }

  /** The turn is being stopped: nobody is asked any more. */
  pause(): void {
    this.#isPaused = true;
    for (const { taken } of this.#open.values()) taken.abort();
  }

  /** The turn is over, or goes on all the same: then what is still open is asked again. */
  resume(): void {
    this.#isPaused = false;
    for (const { ask, isOurs } of [...this.#open.values()]) if (!isOurs) this.#ask(ask);
  }

  #ask(ask: Ask): void {
    const taken = new AbortController();
    this.#open.set(ask.ask, { ask, taken, isOurs: false });
    if (this.#isPaused) return;
    const signal = AbortSignal.any([taken.signal, this.#options.signal]);
    this.#answer(ask, signal).catch((error) => signal.aborted || this.#options.onError(error));
  }

  async #answer(ask: Ask, signal: AbortSignal): Promise<void> {
    const reply = await this.#answerer(ask, signal);
    if (reply === undefined) return this.#options.onUnanswered(ask);
    const open = this.#open.get(ask.ask);
    if (open) open.isOurs = true;
    try {
      await this.#session.reply(ask.ask, reply);
    } catch (error) {
      if (open) open.isOurs = false;
      // Somebody else was faster.
      if (InterlinguaError.is(error, "ask_answered") || InterlinguaError.is(error, "ask_closed")) return;
      if (!this.#options.isPerson || !InterlinguaError.is(error)) throw error;
      this.#options.note(error.message);
      return this.#answer(ask, signal);
    }
  }

  /** Asks anew where that shows something else, and nobody has answered here. */
  #updated(event: Extract<SessionEvent, { type: "ask.updated" }>): void {
    const open = this.#open.get(event.ask);
    if (!open) return;
    open.ask = updateAsk(open.ask, event);
    if (event.changes === undefined || open.isOurs) return;
    open.taken.abort();
    this.#ask(open.ask);
  }

  #answered(event: Extract<SessionEvent, { type: "ask.answered" }>): void {
    const open = this.#open.get(event.ask);
    if (open && !open.isOurs)
      this.#options.note(harmless(`${answerText(open.ask, event)}, answered by ${event.by}`));
    this.#take(event.ask);
  }

  #take(ask: string): void {
    this.#open.get(ask)?.taken.abort();
    this.#open.delete(ask);
  }
}

/** `Run npm test: Deny ("use pnpm")` */
function answerText(ask: Ask, event: Extract<SessionEvent, { type: "ask.answered" }>): string {
  const { option, answers, expired, message } = event;
  const chosen = ask.options.find(({ id }) => id === option)?.label ?? option;
  const said = answers && Object.values(answers).flat().join(", ");
  const words = message ? ` ("${message}")` : "";
  return `${ask.title}: ${expired ? "declined" : (said ?? chosen ?? "answered")}${words}`;
}
