/** A block of text or of thinking that is being said. */
import type { Owner, Speaker } from "./speaker.ts";

export class Block {
  readonly id: string;
  readonly #speaker: Speaker;
  readonly #kind: "text" | "thinking";

  constructor(speaker: Speaker, id: string, kind: "text" | "thinking") {
    this.#speaker = speaker;
    this.id = id;
    this.#kind = kind;
  }

  start(owner: Owner = {}): Promise<void> {
    return this.#speaker.emit({ event: "block_started", block: this.id, kind: this.#kind, ...owner });
  }

  async say(text: string): Promise<void> {
    if (this.#kind === "text") this.#speaker.said += text.length;
    else this.#speaker.thought += text.length;
    await this.#speaker.emit({ event: "block_delta", block: this.id, kind: this.#kind, text });
  }

  finish(): Promise<void> {
    return this.#speaker.emit({ event: "block_finished", block: this.id, kind: this.#kind });
  }
}
