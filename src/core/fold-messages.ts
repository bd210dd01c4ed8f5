/** The conversation as a fold over the log: which messages there are, and the events of each. */
import type { SessionEvent } from "./event.ts";
import { MessageIndex } from "./message-index.ts";
import { MessageEvents, type MessageRecord } from "./message-record.ts";
import type { PromptPart } from "./prompt-part.ts";

/**
 * The conversation of a whole log. The engine folds message by message as they end.
 *
 * @example
 * foldMessages(events).map(({ role }) => role); // => ["user", "assistant"]
 */
export function foldMessages(events: Iterable<SessionEvent>): MessageRecord[] {
  const fold = new MessageFold();
  for (const event of events) fold.add(event);
  return fold.messages;
}

/**
 * The conversation of a log that grows.
 *
 * @example
 * const fold = new MessageFold();
 * for (const event of events) fold.add(event);
 * fold.messages[0]?.role; // => "user"
 */
export class MessageFold {
  #messages: MessageRecord[] = [];
  readonly #byId = new Map<string, MessageRecord>();
  readonly #events = new Map<string, MessageEvents>();
  readonly #index = new MessageIndex();
  readonly #waiting = new Map<string, { parts: PromptPart[]; by?: string }>();

  get messages(): MessageRecord[] {
    for (const message of this.#messages) {
      const events = this.#events.get(message.id);
      if (events) message.events = events.all();
    }
    return this.#messages;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "prompt.accepted":
        this.#waiting.set(event.message, { parts: event.parts, by: event.by });
        return;
      case "prompt.changed":
        // Whoever changed it, it is still the prompt of whoever sent it.
        this.#waiting.set(event.message, { ...this.#waiting.get(event.message), parts: event.parts });
        return;
      case "prompt.withdrawn":
        this.#waiting.delete(event.message);
        return;
      case "prompt.dispatched":
        this.#push({
          id: event.message,
          role: "user",
          at: event.at,
          turn: event.turn,
          parts: [],
          ...this.#waiting.get(event.message),
          checkpoint: event.checkpoint,
        });
        this.#waiting.delete(event.message);
        return;
      case "prompt.returned": {
        const returned = this.#byId.get(event.message);
        this.#messages = this.#messages.filter((message) => message !== returned);
        this.#waiting.set(event.message, { parts: returned?.parts ?? [], by: returned?.by });
        return;
      }
      case "message.system":
        return this.#push({
          id: event.message,
          role: "system",
          at: event.at,
          turn: event.turn,
          text: event.text,
        });
      case "message.started": {
        const { message: id, at, turn, replyTo } = event;
        const events = new MessageEvents();
        events.add(event);
        this.#events.set(id, events);
        return this.#push({ id, role: "assistant", at, turn, replyTo, events: events.all() });
      }
      case "conversation.rewound": {
        const place = this.#messages.findIndex((message) => message.id === event.before);
        if (place >= 0) this.#messages.length = place;
        return;
      }
      default: {
        const message = this.#index.messageOf(event);
        if (message !== undefined) this.#events.get(message)?.add(event);
      }
    }
  }

  #push(message: MessageRecord): void {
    this.#messages.push(message);
    this.#byId.set(message.id, message);
  }
}
