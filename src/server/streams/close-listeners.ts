/** Who wants to know when a stream ends. Those who no longer do are forgotten, however long the stream lives. */
export class CloseListeners {
  readonly #listeners = new Set<() => void>();
  #isClosed = false;

  /** Called once; at once if it is closed already. Returns a function that unsubscribes. */
  add(listener: () => void): () => void {
    if (this.#isClosed) {
      listener();
      return () => {};
    }
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }
}
