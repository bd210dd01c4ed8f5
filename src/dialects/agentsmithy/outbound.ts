/**
 * The log → the response to one prompt, or to one answer: `user` first, then what the agent says and does in that turn, and
 * `done` last. Pure: it depends on the events alone. A response ends where a person is asked, since this wire has no event
 * for that; what follows is in the response to the answer, or in the history.
 */
import type { EventOf, SessionEvent, TurnOutcome } from "../../core/event.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
import type { Frame, View } from "../dialect.ts";
import type { SmithyEvent } from "./event.ts";
import { answerText, askText } from "./outbound/ask-text.ts";
import { ContentEncoder } from "./outbound/content.ts";
import { toSseFrame } from "./sse.ts";

export interface ResponseOptions {
  dialog: string;
  /** The session's directory; that of `session.created` when absent. */
  cwd?: string;
  /** The address of the session on the page. */
  page?: string;
  /** Whether messages may approve plans. True when absent. */
  canApprovePlans?: boolean;
  /** Whose response it is; the first prompt there is when absent. */
  to?: { prompt: string } | { ask: string };
  /** The checkpoint in force at this place of the log: for an answer none is taken of its own. */
  checkpointAt?(seq: number): string | undefined;
}

type OpenAsk = EventOf<"ask.opened">;

/** How a turn ended that has not done what it was asked for. */
const ENDINGS: Readonly<Record<Exclude<TurnOutcome, "completed">, string>> = {
  interrupted: "The turn was stopped.",
  failed: "The turn failed.",
  refused: "The model refused to answer.",
  limit: "The turn ended because a limit was reached.",
};

export class ResponseView implements View {
  readonly #options: ResponseOptions;
  #content: ContentEncoder;
  /** The prompt it answers, once it was accepted. */
  #prompt: { id: string; parts: readonly PromptPart[] } | undefined;
  #turn: string | undefined;
  /** Asks that nobody has answered, of any turn. */
  readonly #asks = new Map<string, OpenAsk>();
  /** For the response to an answer: the ask, until that answer has come. */
  #unanswered: OpenAsk | undefined;
  readonly #held: SmithyEvent[] = [];
  #hasBegun = false;
  #isDone = false;

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.#content = new ContentEncoder(options.cwd ?? "/");
  }

  /** `done` was given: nothing follows. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The turn it follows, once it has begun. */
  get turn(): string | undefined {
    return this.#turn;
  }

  add(event: SessionEvent): readonly Frame[] {
    return this.#frames(this.encode(event));
  }

  /** What `add` gives, before it is a frame. */
  encode(event: SessionEvent): readonly SmithyEvent[] {
    return this.#isDone ? [] : this.#encode(event);
  }

  /** The frames that end it when the stream is cut off. */
  cutOff(reason: string): readonly Frame[] {
    return this.#isDone ? [] : this.#frames(this.#fail(`The response was cut off: ${reason}.`));
  }

  #frames(events: readonly SmithyEvent[]): Frame[] {
    return events.map((event) => ({ text: toSseFrame(event, this.#options.dialog) }));
  }

  #encode(event: SessionEvent): SmithyEvent[] {
    switch (event.type) {
      case "session.created":
        if (this.#options.cwd === undefined) this.#content = new ContentEncoder(event.cwd);
        return [];
      case "session.closed":
        return this.#hasBegun || this.#prompt ? this.#fail("The session was closed.") : [];
      case "ask.answered":
      case "ask.closed":
        return this.#settleAsk(event);
      case "ask.opened":
        return this.#openAsk(event);
      case "prompt.accepted":
      case "prompt.changed":
      case "prompt.withdrawn":
      case "prompt.dispatched":
        return this.#addPrompt(event);
    }
    if (this.#turn === undefined || event.turn !== this.#turn) return [];
    if (event.type === "turn.ended") return this.#endTurn(event);
    return this.#tell(event);
  }

  #addPrompt(event: EventOf<`prompt.${"accepted" | "changed" | "withdrawn" | "dispatched"}`>): SmithyEvent[] {
    if (event.message !== (this.#prompt?.id ?? this.#wantedPrompt(event))) return [];
    switch (event.type) {
      case "prompt.accepted":
        this.#prompt = { id: event.message, parts: event.parts };
        return this.#tellWaiting();
      case "prompt.changed":
        this.#prompt = { id: event.message, parts: event.parts };
        return [];
      case "prompt.withdrawn":
        return this.#fail("The message was withdrawn before the agent got it.");
      case "prompt.dispatched":
        this.#turn = event.turn;
        return this.#begin(event.checkpoint);
    }
  }

  #wantedPrompt({ message, type }: { message: string; type: string }): string | undefined {
    const { to } = this.#options;
    if (to) return "prompt" in to ? to.prompt : undefined;
    return type === "prompt.accepted" ? message : undefined;
  }

  /** What the response begins with: what the person said. */
  #begin(checkpoint?: string, said = promptText(this.#prompt?.parts ?? [])): SmithyEvent[] {
    if (this.#hasBegun) return [];
    this.#hasBegun = true;
    return [{ type: "user", content: said, ...(checkpoint !== undefined && { checkpoint }) }];
  }

  #openAsk(event: OpenAsk): SmithyEvent[] {
    const { to } = this.#options;
    // Background work may ask, too, while turns go on.
    if (event.turn === undefined) return [];
    if (to && "ask" in to && to.ask === event.ask) {
      this.#turn = event.turn;
      this.#unanswered = event;
      return [];
    }
    this.#asks.set(event.ask, event);
    if (this.#turn === undefined) return this.#tellWaiting();
    if (event.turn !== this.#turn) return [];
    return [...this.#tell(event), ...(this.#unanswered ? [] : this.#endAtAsk())];
  }

  /** What happens while the answer is still missing comes after it: `user` is first. */
  #tell(event: SessionEvent): SmithyEvent[] {
    const told = this.#content.add(event).map(withoutId);
    if (!this.#unanswered) return told;
    this.#held.push(...told);
    return [];
  }

  #settleAsk(event: EventOf<"ask.answered" | "ask.closed">): SmithyEvent[] {
    this.#asks.delete(event.ask);
    const asked = this.#unanswered;
    if (asked?.ask !== event.ask) return [];
    this.#unanswered = undefined;
    const said = event.type === "ask.answered" ? answerText(asked, event) : "";
    const checkpoint = this.#options.checkpointAt?.(event.seq);
    return [...this.#begin(checkpoint, said), ...this.#held.splice(0), ...this.#endAtAsk()];
  }

  /** The prompt waits behind asks of another turn: nobody knows for how long. */
  #tellWaiting(): SmithyEvent[] {
    if (!this.#prompt || this.#asks.size === 0) return [];
    return [...this.#begin(), ...this.#say([...this.#asks.values()], true), ...this.#done()];
  }

  /** Ends it if the turn waits for a person. */
  #endAtAsk(): SmithyEvent[] {
    const asks = [...this.#asks.values()].filter(({ turn }) => turn === this.#turn);
    return asks.length === 0 ? [] : [...this.#say(asks), ...this.#done()];
  }

  #say(asks: readonly OpenAsk[], isPromptWaiting = false): SmithyEvent[] {
    const { page = "", canApprovePlans } = this.#options;
    const texts = asks.map((ask) => askText(ask, { page, isPromptWaiting, canApprovePlans }));
    return this.#content.say(texts.join("\n\n"));
  }

  #endTurn({ outcome, error }: EventOf<"turn.ended">): SmithyEvent[] {
    if (outcome !== "completed") return this.#fail(error?.message ?? ENDINGS[outcome]);
    return [...this.#content.end().map(withoutId), ...this.#done()];
  }

  #fail(error: string): SmithyEvent[] {
    const begin = this.#prompt || this.#unanswered ? this.#begin() : [];
    return [
      ...begin,
      ...this.#held.splice(0),
      ...this.#content.end().map(withoutId),
      { type: "error", error },
      ...this.#done(),
    ];
  }

  #done(): SmithyEvent[] {
    this.#isDone = true;
    return [{ type: "done", done: true }];
  }
}

/** While it streams, a call has no id on this wire. */
function withoutId(event: SmithyEvent): SmithyEvent {
  if (event.type !== "tool_call") return event;
  const { id: _, ...rest } = event;
  return rest;
}
