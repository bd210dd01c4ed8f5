/** What an agent says in one message, as it is searched: its own texts, without what it thought, used or took back. */
import type { SessionEvent } from "./event.ts";

/** Of a longer message the beginning is searched, in characters. */
export const MAX_MESSAGE_TEXT = 16 * 1024;

export class MessageText {
  /** By part, in the order they began. */
  readonly #parts = new Map<string, string>();
  #length = 0;

  /** Takes the events of the message, in order. */
  add(event: SessionEvent): void {
    if (event.type === "content.discarded") for (const part of event.parts) this.#discard(part);
    // What a sub-agent or a task says is not said to the person.
    if (event.type !== "text.delta" || event.parent !== undefined || event.task !== undefined) return;
    const room = MAX_MESSAGE_TEXT - this.#length;
    if (room <= 0) return;
    const added = event.delta.slice(0, room);
    this.#parts.set(event.part, `${this.#parts.get(event.part) ?? ""}${added}`);
    this.#length += added.length;
  }

  toString(): string {
    return [...this.#parts.values()].join("\n");
  }

  #discard(part: string): void {
    this.#length -= this.#parts.get(part)?.length ?? 0;
    this.#parts.delete(part);
  }
}
