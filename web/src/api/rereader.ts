/**
 * Reads something that changes, as often as it should: one request at a time, which ends however much changes meanwhile.
 * What a request cannot have seen is read by one more.
 */
export class Rereader {
  readonly #read: () => Promise<void>;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #isWanted = false;

  /** `read` tells of its failures itself. */
  constructor(read: () => Promise<void>, pauseMs: number) {
    this.#read = read;
    this.#pauseMs = pauseMs;
  }

  /** Reads at once, or as soon as what is being read is there. */
  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isWanted = true;
    if (!this.#isReading) void this.#run();
  }

  /** Reads after the pause, once for all that is asked for meanwhile. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.now(), this.#pauseMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#isWanted = false;
  }

  async #run(): Promise<void> {
    this.#isReading = true;
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#read();
    }
    this.#isReading = false;
  }
}
