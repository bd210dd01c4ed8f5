/**
 * What an agent says in one message, as it is searched: its own texts, its questions with their answers, and its plans, without
 * what it thought, used or took back.
 */
import type { EventOf, SessionEvent } from "./event.ts";

/** Of a longer message the beginning is searched, in characters. */
export const MAX_MESSAGE_TEXT = 16 * 1024;

export class MessageText {
  /** By part and ask, in the order they began. */
  readonly #parts = new Map<string, string>();
  #length = 0;

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  /** Takes the events of the message, in order. */
  add(event: SessionEvent): void {
    switch (event.type) {
      case "content.discarded":
        for (const part of event.parts) this.#discard(partKey(part));
        return;
      case "text.delta":
        // What a sub-agent or a task says is not said to the person.
        if (event.parent === undefined && event.task === undefined)
          this.#append(partKey(event.part), event.delta);
        return;
      // What it asks is, whoever asks.
      case "ask.opened":
        if (event.kind !== "permission") this.#append(askKey(event.ask), textOfAsk(event));
        return;
      case "ask.answered":
        if (this.#parts.has(askKey(event.ask))) this.#append(askKey(event.ask), textOfAnswer(event));
    }
  }

  toString(): string {
    return [...this.#parts.values()].join("\n");
  }

  #append(key: string, text: string): void {
    const added = text.slice(0, MAX_MESSAGE_TEXT - this.#length);
    if (added === "") return;
    this.#parts.set(key, `${this.#parts.get(key) ?? ""}${added}`);
    this.#length += added.length;
  }

  #discard(key: string): void {
    this.#length -= this.#parts.get(key)?.length ?? 0;
    this.#parts.delete(key);
  }
}

function partKey(part: string): string {
  return `part ${part}`;
}

function askKey(ask: string): string {
  return `ask ${ask}`;
}

/** The title of a question often says the same as the question: each text once. */
function textOfAsk({ title, description, questions = [] }: EventOf<"ask.opened">): string {
  const texts = [title, description];
  for (const question of questions) {
    texts.push(question.header, question.text, question.description);
    for (const { label, description: more } of question.options ?? []) texts.push(label, more);
  }
  return [...new Set(texts.filter((text) => text !== undefined && text !== ""))].join("\n");
}

/** Of secret answers the log has none. */
function textOfAnswer({ answers = {}, message }: EventOf<"ask.answered">): string {
  return [...Object.values(answers).flat(), ...(message ? [message] : [])]
    .map((text) => `\n${text}`)
    .join("");
}
