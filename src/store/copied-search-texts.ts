/** What the list of sessions is searched for, found again in a log: titles, and prompts that were given to the agent. */
import { type EncodedEvent, eventOf } from "../core/encoded-event.ts";
import { promptText } from "../core/prompt-part.ts";

/** As much of each as is indexed when it happens. */
const MAX_LENGTH = 2000;

export class CopiedSearchTexts {
  /** Of prompts that wait. */
  readonly #waiting = new Map<string, string>();

  /** The texts of these events, which follow those given before. */
  read(events: readonly EncodedEvent[]): string[] {
    const texts: string[] = [];
    for (const event of events.map(eventOf)) {
      switch (event.type) {
        case "session.created":
        case "session.updated":
          if (event.title) texts.push(event.title.slice(0, MAX_LENGTH));
          break;
        case "prompt.accepted":
        case "prompt.changed":
          this.#waiting.set(event.message, promptText(event.parts).slice(0, MAX_LENGTH));
          break;
        case "prompt.withdrawn":
          this.#waiting.delete(event.message);
          break;
        case "prompt.dispatched": {
          const text = this.#waiting.get(event.message);
          if (text) texts.push(text);
          this.#waiting.delete(event.message);
        }
      }
    }
    return texts;
  }
}
