/** A queue between a session and its reader: whoever fills it can wait until it has room, so that nothing grows. */
import { createMessageChannel } from "./create-message-channel.ts";

export class PacedQueue<Value> implements AsyncIterable<Value> {
  readonly #channel = createMessageChannel<Value>();
  readonly #limit: number;
  #isClosed = false;
  #wake: () => void = () => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(value: Value): void {
    this.#channel.push(value);
  }

  /** Resolves when fewer than the limit wait, or the queue is closed. */
  async room(): Promise<void> {
    while (!this.#isClosed && this.#channel.size >= this.#limit)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  /** What waits is still read, unless `drop` is set. */
  close(options: { drop?: boolean } = {}): void {
    this.#isClosed = true;
    this.#channel.close();
    if (options.drop) void this.#channel[Symbol.asyncIterator]().return?.();
    this.#wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<Value, undefined> {
    const source = this.#channel[Symbol.asyncIterator]();
    const next = async () => {
      const result = await source.next();
      this.#wake();
      return result;
    };
    const finish = async () => {
      this.close({ drop: true });
      return { value: undefined, done: true } as const;
    };
    return { next, return: finish };
  }
}
