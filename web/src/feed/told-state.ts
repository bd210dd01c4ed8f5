/** A state and those who are told of it: at once, or where it is not urgent, together with what comes soon after. */

/** What is not urgent is told this seldom: the whole page renders for it. */
const SOON_MS = 100;

export class ToldState<State> {
  #latest: State;
  #told: State;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(state: State) {
    this.#latest = state;
    this.#told = state;
  }

  get latest(): State {
    return this.#latest;
  }

  /** What listeners were told last. */
  readonly getTold = (): State => this.#told;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Tells it, and everything that waited to be told. */
  set(state: State): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#latest = state;
    this.#told = state;
    for (const listener of this.#listeners) listener();
  }

  setSoon(state: State): void {
    this.#latest = state;
    this.#timer ??= setTimeout(() => this.set(this.#latest), SOON_MS);
  }

  /** Nothing is told any more of what still waits. */
  close(): void {
    clearTimeout(this.#timer);
  }
}
