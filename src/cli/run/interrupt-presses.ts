/** What a Ctrl-C or a SIGTERM means: the first stops the turn, a later one leaves it. */

/** One Ctrl-C can arrive twice: from the terminal, and from a launcher that passes it on. */
const SAME_PRESS_MS = 500;

export class InterruptPresses {
  #firstAt: number | undefined;

  /** @param now In milliseconds, of a clock that is never set. */
  press(now: number): "stop" | "leave" | "repeated" {
    if (this.#firstAt === undefined) {
      this.#firstAt = now;
      return "stop";
    }
    return now - this.#firstAt > SAME_PRESS_MS ? "leave" : "repeated";
  }
}
