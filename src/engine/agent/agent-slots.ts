/** Limits how many agents run at once. A start waits while all slots are taken; idle agents are ended to make room. */
export class AgentSlots {
  readonly #limit: number;
  #taken = 0;
  /** In order of arrival. */
  readonly #waiting = new Set<() => void>();
  /** Called when all slots are taken: ends an idle agent, if there is one. */
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

  /** Resolves when there is a slot; rejects, and takes none, when the signal is aborted before. */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isFull) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      // A waiter that was just given a slot gives it back below.
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

  /** The slot goes to whoever has waited longest. */
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
