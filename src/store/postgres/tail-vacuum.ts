/**
 * Gives back the space of packed tails. Rows of tails live for seconds, but autovacuum visits a table once a minute. Until
 * then the table would grow with everything that is written.
 */
import type { PostgresConnection } from "./connection.ts";

/** How much this daemon packs between two vacuums. */
const VACUUM_BYTES = 16 * 1024 * 1024;

/** The largest share of time to spend. Old snapshots, such as that of a long `pg_dump`, make vacuums slow and useless. */
const MAX_SHARE = 0.1;

/**
 * Blocks nobody: readers and writers go on, and the file is not truncated, which would lock the table. Skips the table while
 * another node or autovacuum works on it.
 */
const VACUUM = "VACUUM (SKIP_LOCKED, TRUNCATE false) tail";

export class TailVacuum {
  readonly #connection: Pick<PostgresConnection, "query">;
  #bytes = 0;
  #running: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(connection: Pick<PostgresConnection, "query">) {
    this.#connection = connection;
  }

  /** Rows with so many bytes were removed. */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < VACUUM_BYTES || this.#running || performance.now() < this.#pausedUntil) return;
    this.#bytes = 0;
    this.#running = this.#vacuum();
  }

  /** Resolves when nothing runs. */
  async finish(): Promise<void> {
    await this.#running;
  }

  /** A failure is ignored: autovacuum visits the table later. */
  async #vacuum(): Promise<void> {
    const begun = performance.now();
    await this.#connection.query(VACUUM).catch(() => {});
    const ended = performance.now();
    this.#pausedUntil = ended + (ended - begun) / MAX_SHARE;
    this.#running = undefined;
  }
}
