/**
 * What could not be read since the start. A read that fails because of damage fails one session, or what all sessions
 * share; this says which, to whoever asked and to the health of the daemon.
 */
import type { InterlinguaError } from "../core/error.ts";
import type { StoreHealth } from "../core/store.ts";
import { isDamage } from "./damaged-data.ts";
import { PostgresFailure } from "./postgres/postgres-failure.ts";
import {
  databaseDamaged,
  type Remedy,
  sessionDamaged,
  storeBusy,
  unreadableJustNow,
} from "./read-problems.ts";
import { isSqliteError } from "./store-write-error.ts";

export interface ReadFaultsOptions {
  /** Called once per session found damaged, and with `undefined` each time the shared data becomes unreadable. */
  onDamage?(session: string | undefined, error: unknown): void;
}

export class ReadFaults {
  readonly #options: ReadFaultsOptions;
  readonly #remedy: Remedy;
  readonly #sessions = new Set<string>();
  /** Why each kind of read of shared data fails, until it succeeds again. */
  readonly #shared = new Map<string, string>();

  /** @param remedy What is advised where data is damaged. */
  constructor(options: ReadFaultsOptions, remedy: Remedy) {
    this.#options = options;
    this.#remedy = remedy;
  }

  /** Damage becomes `session_damaged`, any other error of the database `store_busy`. */
  async ofSession<Result>(session: string, read: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await read();
    } catch (error) {
      if (!isDamage(error)) throw passing(error);
      this.note(session, error);
      throw sessionDamaged(session, error, this.#remedy);
    }
  }

  /** As `ofSession`, for what is read piece by piece. */
  async *eachOfSession<Item>(session: string, items: AsyncIterable<Item>): AsyncGenerator<Item> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await this.ofSession(session, () => iterator.next());
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /**
   * Damage becomes `database_damaged`, until a read of the same name succeeds. A read that leaves out what is damaged and
   * says so succeeds, but is not forgotten.
   */
  async ofAll<Result>(
    name: string,
    read: (leaveOut: (error: unknown) => void) => Result | Promise<Result>,
  ): Promise<Result> {
    const leftOut: unknown[] = [];
    try {
      const result = await read((error) => leftOut.push(error));
      if (leftOut.length > 0) this.#noteShared(name, leftOut[0]);
      else this.#shared.delete(name);
      return result;
    } catch (error) {
      if (!isDamage(error)) throw passing(error);
      throw this.#noteShared(name, error);
    }
  }

  /** For writes, and synchronous: a transaction must not wait. */
  readonly whileWriting = <Result>(session: string, write: () => Result): Result => {
    try {
      return write();
    } catch (error) {
      if (!isDamage(error, "write")) throw error;
      this.note(session, error);
      throw sessionDamaged(session, error, this.#remedy);
    }
  };

  /** Part of a session is damaged, although the answer could be given without it. */
  note(session: string, error: unknown): void {
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    this.#options.onDamage?.(session, error);
  }

  forget(session: string): void {
    this.#sessions.delete(session);
  }

  /** `probe` reads a little of the shared data, so that damage shows without a request. */
  health(probe: () => void): StoreHealth {
    let justNow: string | undefined;
    try {
      probe();
      this.#shared.delete("probe");
    } catch (error) {
      if (isDamage(error)) this.#noteShared("probe", error);
      else justNow = unreadableJustNow(error);
    }
    const [problem = justNow] = this.#shared.values();
    return { problem, damagedSessions: [...this.#sessions] };
  }

  #noteShared(name: string, error: unknown): InterlinguaError {
    const damaged = databaseDamaged(error, this.#remedy);
    if (!this.#shared.has(name)) this.#options.onDamage?.(undefined, error);
    this.#shared.set(name, damaged.message);
    return damaged;
  }
}

function passing(error: unknown): unknown {
  return isSqliteError(error) || error instanceof PostgresFailure ? storeBusy(error) : error;
}
