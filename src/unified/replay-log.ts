/** The newest messages of a session with their numbers, so that a reader who was away gets exactly the rest. */
import type { SequencedMessage } from "./unified-adapter.ts";
import type { UnifiedMessage } from "./unified-message.ts";

/** How much is kept: whoever was away for longer has to begin anew. */
const MAX_KEPT_EVENTS = 20_000;
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

interface Entry {
  readonly seq: number;
  readonly messages: readonly UnifiedMessage[];
  readonly characters: number;
}

export class ReplayLog {
  #entries: Entry[] = [];
  #characters = 0;
  /** The newest number that is no longer kept. */
  #forgotten = 0;
  #isClosed = false;
  readonly #readers = new Set<() => void>();

  add(seq: number, messages: readonly UnifiedMessage[]): void {
    const characters = JSON.stringify(messages).length;
    this.#entries.push({ seq, messages, characters });
    this.#characters += characters;
    while (this.#entries.length > MAX_KEPT_EVENTS || this.#characters > MAX_KEPT_CHARACTERS) {
      // The newest is kept, however large.
      if (this.#entries.length === 1) break;
      const oldest = this.#entries.shift()!;
      this.#characters -= oldest.characters;
      this.#forgotten = oldest.seq;
    }
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Throws at the first read if something after that number is no longer kept. */
  async *replay(fromSequence: number): AsyncGenerator<SequencedMessage, void> {
    let seq = fromSequence;
    for (;;) {
      if (seq < this.#forgotten)
        throw new RangeError(`Messages up to ${this.#forgotten} are no longer kept: read from there on.`);
      const next = this.#after(seq);
      if (next) {
        yield* sequenced(next);
        seq = next.seq;
      } else if (this.#isClosed) return;
      else {
        await new Promise<void>((resolve) => {
          this.#readers.add(resolve);
        });
      }
    }
  }

  /** Numbers have no gaps. */
  #after(seq: number): Entry | undefined {
    const [first] = this.#entries;
    return first && this.#entries[Math.max(0, seq + 1 - first.seq)];
  }

  #wake(): void {
    for (const wake of this.#readers) wake();
    this.#readers.clear();
  }
}

function sequenced({ seq, messages }: Entry): SequencedMessage[] {
  return messages.map((payload, place) => ({
    ...(place === messages.length - 1 && { seq }),
    message_id: payload.id,
    timestamp: payload.timestamp,
    payload,
  }));
}
