/**
 * How far the logs of sessions that were given up had been acknowledged, so that it shows when they are read again and end
 * earlier: the database has gone back. Bounded.
 */

const MAX_SESSIONS = 10_000;

export class AcknowledgedHeads {
  /** The oldest first. */
  readonly #heads = new Map<string, number>();

  note(session: string, head: number): void {
    const known = this.#heads.get(session) ?? 0;
    this.#heads.delete(session);
    this.#heads.set(session, Math.max(known, head));
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= MAX_SESSIONS) break;
      this.#heads.delete(oldest);
    }
  }

  /** How many events are missing in a log that ends here. It is forgotten then. */
  take(session: string, head: number): number {
    const known = this.#heads.get(session) ?? 0;
    this.#heads.delete(session);
    return Math.max(0, known - head);
  }
}
