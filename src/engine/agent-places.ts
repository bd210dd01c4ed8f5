/** How many agents may run at once. Who comes when all places are taken waits for one; idle agents make way. */
export class AgentPlaces {
  readonly #limit: number;
  #taken = 0;
  /** In the order they came. */
  readonly #waiting = new Set<() => void>();
  /** Asked when all places are taken: ends an agent that has nothing to do, if there is one. */
  makeRoom: () => void = () => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  get isFull(): boolean {
    return this.#taken >= this.#limit;
  }

  /** Resolves when there is a place; rejects, and takes none, when the signal is aborted before. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isFull) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      // One that was given a place a moment ago gives it back below.
      if (this.#waiting.delete(resolve)) reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", abort, { once: true });
    this.makeRoom();
    await promise.finally(() => signal.removeEventListener("abort", abort));
    if (!signal.aborted) return;
    this.release();
    throw signal.reason;
  }

  /** The place goes to whoever has waited longest. */
  release(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
