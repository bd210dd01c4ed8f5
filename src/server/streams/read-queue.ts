/** Limits concurrent reads of the store for slow readers: first come, first served, so none can starve. */

export class ReadQueue {
  readonly #parallel: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(parallel: number) {
    this.#parallel = parallel;
  }

  async run<Value>(read: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#parallel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      // The slot is passed on directly, so that a newcomer cannot take it first.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
