/** The conversation as it was after so many events of the log. */
import { MessageFold } from "../../../src/core/fold-messages.ts";
import { adaptMessage } from "../../../src/dialects/ai-sdk/library.ts";
import type { SessionEvent } from "../api/types.ts";
import type { ChatMessage } from "../chat/page-message.ts";

type MessageRecord = MessageFold["messages"][number];
type FoldedEvent = Parameters<MessageFold["add"]>[0];

interface Shown {
  /** What changes when the message does. */
  version: string;
  message: ChatMessage;
}

export class ReplayConversation {
  readonly #events: readonly SessionEvent[];
  #fold = new MessageFold();
  #count = 0;
  #agent: string | undefined;
  #shown = new Map<string, Shown>();

  /** The list may grow. */
  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
  }

  /** The newest `most` messages after the first `count` events. Fewer than before begins again. */
  at(count: number, most: number): ChatMessage[] {
    if (count < this.#count) {
      this.#fold = new MessageFold();
      this.#count = 0;
    }
    for (; this.#count < count && this.#count < this.#events.length; this.#count += 1) {
      const event = this.#events[this.#count]!;
      if (event.type === "session.created") this.#agent = event.agent;
      // The wire has the events of the log.
      this.#fold.add(event as FoldedEvent);
    }
    const records = this.#fold.messages.slice(-most);
    const before = this.#shown;
    this.#shown = new Map(records.map((record) => [record.id, this.#show(record, before.get(record.id))]));
    return [...this.#shown.values()].map(({ message }) => message);
  }

  /** The same message object as before if nothing happened to it, so that it is not drawn again. */
  #show(record: MessageRecord, before: Shown | undefined): Shown {
    const version = `${record.events?.length ?? 0} ${record.events?.at(-1)?.seq ?? 0}`;
    if (before?.version === version) return before;
    const message = adaptMessage(record, { session: { agent: this.#agent } });
    return { version, message: message as unknown as ChatMessage };
  }
}
