/** Runs work one after the other per key, so that two equal requests at once do not both act. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const former = this.#last.get(key) ?? Promise.resolve();
    const running = former.then(work, work);
    this.#last.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === running) this.#last.delete(key);
    }
  }
}
