/**
 * Sessions that a person deleted and can still have back. The daemon is asked when the time is over, or when the page
 * goes: what was deleted on the page is deleted.
 */

export const UNDO_MS = 10_000;

export interface PendingDeletionsOptions {
  /** Deletes for good; settles when the daemon has answered. `isLeaving`: the page goes, and nobody hears of an error. */
  send: (sessions: readonly string[], isLeaving: boolean) => Promise<void>;
  delayMs?: number;
}

interface Batch {
  sessions: readonly string[];
  /** Undefined once it was sent. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class PendingDeletions {
  readonly #options: PendingDeletionsOptions;
  readonly #batches = new Set<Batch>();
  readonly #listeners = new Set<() => void>();
  #sessions: ReadonlySet<string> = new Set();

  constructor(options: PendingDeletionsOptions) {
    this.#options = options;
  }

  /** All that are not to be shown; another set after each change. */
  readonly getSessions = (): ReadonlySet<string> => this.#sessions;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns a function that takes it back, and says whether it still could. */
  add(sessions: readonly string[]): () => boolean {
    const batch: Batch = { sessions: sessions.filter((id) => !this.#sessions.has(id)), timer: undefined };
    batch.timer = setTimeout(() => this.#send(batch, false), this.#options.delayMs ?? UNDO_MS);
    this.#batches.add(batch);
    this.#tell();
    return () => this.#takeBack(batch);
  }

  /** Sends what waits, because the page goes. */
  flush(): void {
    for (const batch of this.#batches) if (batch.timer !== undefined) this.#send(batch, true);
  }

  #takeBack(batch: Batch): boolean {
    if (batch.timer === undefined) return false;
    clearTimeout(batch.timer);
    batch.timer = undefined;
    this.#drop(batch);
    return true;
  }

  #send(batch: Batch, isLeaving: boolean): void {
    clearTimeout(batch.timer);
    batch.timer = undefined;
    // Until the answer it stays out of sight; what could not be deleted comes back.
    const done = () => this.#drop(batch);
    this.#options.send(batch.sessions, isLeaving).then(done, done);
  }

  #drop(batch: Batch): void {
    this.#batches.delete(batch);
    this.#tell();
  }

  #tell(): void {
    this.#sessions = new Set([...this.#batches].flatMap(({ sessions }) => sessions));
    for (const listener of this.#listeners) listener();
  }
}
