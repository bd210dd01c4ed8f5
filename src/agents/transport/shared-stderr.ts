/** The stderr of a process that several sessions share: each gets every line, for nobody knows whom it concerns. */

/** How many lines are kept for the session that the process was started for. */
const MAX_EARLY_LINES = 100;

export class SharedStderr {
  readonly #readers = new Set<(line: string) => void>();
  #early: string[] = [];

  push(line: string): void {
    for (const read of this.#readers) read(line);
    if (this.#readers.size === 0 && this.#early.length < MAX_EARLY_LINES) this.#early.push(line);
  }

  /** Gives what nobody has read, and what comes until the session is over. */
  follow(read: (line: string) => void, over: Promise<unknown>): void {
    for (const line of this.#early.splice(0)) read(line);
    this.#readers.add(read);
    void over.finally(() => this.#readers.delete(read));
  }
}
