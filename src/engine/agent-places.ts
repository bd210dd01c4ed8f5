/** How many agents may run at once. Who comes when all places are taken waits for one; idle agents make way. */
export class AgentPlaces {
  readonly #limit: number;
  #taken = 0;
  #waiting: (() => void)[] = [];
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

  /** Resolves when there is a place; rejects when the signal is aborted before. */
  async take(signal: AbortSignal): Promise<void> {
    while (this.isFull) {
      this.makeRoom();
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(signal.reason);
        signal.addEventListener("abort", abort, { once: true });
        this.#waiting.push(() => {
          signal.removeEventListener("abort", abort);
          resolve();
        });
      });
    }
    signal.throwIfAborted();
    this.#taken += 1;
  }

  release(): void {
    this.#taken -= 1;
    this.#waiting.shift()?.();
  }
}
