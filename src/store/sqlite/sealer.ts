/** Packs tails into blocks in the background, one session after the other. */
import type { Connection } from "./connection.ts";
import { sealSession } from "./seal-session.ts";

/** After a failure (mostly a full disk) the rows simply stay; trying again at once would only heat the machine. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export const SELECT_LEFTOVERS = "SELECT DISTINCT session FROM tail";

export class Sealer {
  readonly #connection: Connection;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<number>();
  #running: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(connection: Connection, onError: (error: unknown) => void = () => {}) {
    this.#connection = connection;
    this.#onError = onError;
  }

  /** Asks for a session's tail to be packed. Asking again while it waits changes nothing. */
  request(session: number): void {
    this.#waiting.add(session);
    if (this.#running || performance.now() < this.#pausedUntil) return;
    this.#running = this.#run();
  }

  /** What a daemon that died, or a disk that was full, left unpacked. */
  requestLeftovers(): void {
    const sessions = this.#connection.all<{ session: number }>(SELECT_LEFTOVERS);
    for (const { session } of sessions) this.request(session);
  }

  /** Resolves when nothing is being packed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // A session asked for while the loop runs is still reached by it; after it, a new run begins.
    for (const session of this.#waiting) {
      this.#waiting.delete(session);
      try {
        await sealSession(this.#connection, session);
      } catch (error) {
        this.#waiting.add(session);
        this.#pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
        this.#onError(error);
        break;
      }
    }
    this.#running = undefined;
  }
}
