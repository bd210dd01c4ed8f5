/** Named alarms of one session. Setting one again moves it; none keeps the process alive. */
export class Alarms {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** Rings once after `milliseconds`; 0 or less means never. */
  set(name: string, milliseconds: number, ring: () => void): void {
    this.clear(name);
    if (milliseconds <= 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      ring();
    }, milliseconds);
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
