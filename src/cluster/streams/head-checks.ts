/**
 * Asks the database where logs end and who has them: for many sessions with one statement, never twice at once. Those without
 * anybody who tells are asked for every second, all others now and then.
 */

/** Undefined where there is no such session. */
export interface FoundHead {
  head: number;
  /** That of the session: one that was deleted and made anew has another. */
  number?: number;
  /** The living node that has it. */
  owner?: number;
}

export interface HeadChecksOptions {
  readHeads(sessions: readonly string[]): Promise<ReadonlyMap<string, FoundHead>>;
  /** What is known of a session when it is asked for; undefined if it need not be any more. */
  before(session: string): unknown;
  onFound(session: string, found: FoundHead | undefined, before: unknown): Promise<void> | void;
  /** Sessions that nobody tells us of. */
  loose(): Iterable<string>;
  all(): Iterable<string>;
  onError(error: unknown): void;
  times?: Partial<CheckTimes>;
}

export interface CheckTimes {
  looseMs: number;
  /** How many rounds of `looseMs` there are between two checks of all. */
  roundsForAll: number;
}

export const DEFAULT_CHECK_TIMES: CheckTimes = { looseMs: 1000, roundsForAll: 15 };

const MAX_SESSIONS = 1000;
/** The store is read for so many at once. */
const PARALLEL = 4;

export class HeadChecks {
  readonly #options: HeadChecksOptions;
  readonly #wanted = new Set<string>();
  /** Tried again with the next round. */
  readonly #failed = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isScheduled = false;
  #isRunning = false;
  #isClosed = false;
  #rounds = 0;

  constructor(options: HeadChecksOptions) {
    this.#options = options;
    const { looseMs, roundsForAll } = { ...DEFAULT_CHECK_TIMES, ...options.times };
    this.#timer = setInterval(() => {
      this.#rounds += 1;
      const sessions = this.#rounds % roundsForAll === 0 ? options.all() : options.loose();
      for (const session of sessions) this.soon(session);
      for (const session of this.#failed) this.soon(session);
      this.#failed.clear();
    }, looseMs).unref();
  }

  /** With all others that are asked for in this turn of the event loop. */
  soon(session: string): void {
    this.#wanted.add(session);
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#wanted.clear();
    this.#failed.clear();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isRunning || this.#isClosed) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#wanted.size > 0 && !this.#isClosed) {
      const asked = this.#take();
      try {
        await this.#check(asked);
      } catch (error) {
        for (const session of [...asked.map(([name]) => name), ...this.#wanted]) this.#failed.add(session);
        this.#wanted.clear();
        if (!this.#isClosed) this.#options.onError(error);
      }
    }
    this.#isRunning = false;
  }

  #take(): [string, unknown][] {
    const asked: [string, unknown][] = [];
    for (const session of this.#wanted) {
      if (asked.length === MAX_SESSIONS) break;
      this.#wanted.delete(session);
      const before = this.#options.before(session);
      if (before !== undefined) asked.push([session, before]);
    }
    return asked;
  }

  async #check(asked: readonly [string, unknown][]): Promise<void> {
    if (asked.length === 0) return;
    const found = await this.#options.readHeads(asked.map(([session]) => session));
    if (this.#isClosed) return;
    const waiting = asked.values();
    const work = async () => {
      for (const [session, before] of waiting)
        try {
          await this.#options.onFound(session, found.get(session), before);
        } catch (error) {
          this.#options.onError(error);
          this.#failed.add(session);
        }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
  }
}
