/** Says that the agent starts, where that takes so long that a person wonders. */

const WONDERING_MS = 1_000;

export class StartingNote {
  readonly #say: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param isSeen Whether a person looks on; nothing is said otherwise. */
  constructor(isSeen: boolean, say: () => void) {
    this.#say = isSeen ? say : () => {};
  }

  /** A prompt was sent. */
  begin(): void {
    this.#timer ??= setTimeout(this.#say, WONDERING_MS).unref();
  }

  /** The agent has the prompt, or never will. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
