/** Named timers of one session. Setting one again moves it; none keeps the process alive. */

/** The longest delay of a Node timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class Timers {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Fires once after `milliseconds`; 0 or less means never. */
  set(name: string, milliseconds: number, ring: () => void): void {
    this.clear(name);
    if (milliseconds <= 0) return;
    const wait = Math.min(milliseconds, MAX_TIMER_MS);
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      if (milliseconds > wait) this.set(name, milliseconds - wait, ring);
      else ring();
    }, wait);
    this.#timers.set(name, timer.unref());
  }

  clear(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.#timers.keys()]) this.clear(name);
  }
}
