/**
 * How far the logs of sessions that were given up had been acknowledged, so that it shows when they are read again and end
 * earlier: the database has gone back. Bounded.
 */

const MAX_SESSIONS = 10_000;

export interface LogEnd {
  /** When the session was created, which tells it from a later one of the same id. */
  readonly createdAt: number;
  readonly head: number;
}

export class AcknowledgedHeads {
  /** The oldest first. */
  readonly #heads = new Map<string, LogEnd>();

  note(session: string, { createdAt, head }: LogEnd): void {
    const known = this.#of(session, createdAt);
    this.#heads.delete(session);
    this.#heads.set(session, { createdAt, head: Math.max(known, head) });
    for (const oldest of this.#heads.keys()) {
      if (this.#heads.size <= MAX_SESSIONS) break;
      this.#heads.delete(oldest);
    }
  }

  /** How many events are missing in a log that ends here. It is forgotten then. */
  take(session: string, { createdAt, head }: LogEnd): number {
    const known = this.#of(session, createdAt);
    this.#heads.delete(session);
    return Math.max(0, known - head);
  }

  /** Another session may have had the id since: one that was deleted says nothing of it. */
  #of(session: string, createdAt: number): number {
    const known = this.#heads.get(session);
    return known?.createdAt === createdAt ? known.head : 0;
  }
}
