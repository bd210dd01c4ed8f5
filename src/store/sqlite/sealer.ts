/** Packs the tails of sessions into blocks, one session after the other, in the background. */
import { CODEC_ZSTD } from "../codec.ts";
import { cutBlocks, type OpenBlock, packBlock, type TailPart } from "./block.ts";
import type { Connection } from "./connection.ts";

interface Sealed {
  block: OpenBlock;
  data: Uint8Array;
}

/** After a failure (mostly a full disk) the rows simply stay; trying again at once would only heat the machine. */
const PAUSE_AFTER_FAILURE_MS = 5000;

const SELECT_LEFTOVERS = "SELECT DISTINCT session FROM tail";

const SELECT_TAIL = `SELECT id, first, last, raw_first, raw_last, format, events, raws FROM tail
  WHERE session = ? ORDER BY last, id`;

const INSERT_BLOCK = `INSERT INTO block (session, first, last, raw_first, raw_last, format, codec, data)
  VALUES (?, ?, ?, ?, ?, ?, ${CODEC_ZSTD}, ?)`;

const DELETE_TAIL = "DELETE FROM tail WHERE session = ? AND id <= ?";

const SHRINK_TAIL =
  "UPDATE session SET tail_events = tail_events - ?, tail_bytes = tail_bytes - ? WHERE id = ?";

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
    if (this.#running || Date.now() < this.#pausedUntil) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** What a daemon that died, or a disk that was full, left unpacked. */
  requestLeftovers(): void {
    for (const { session } of this.#connection.all<{ session: number }>(SELECT_LEFTOVERS))
      this.request(session);
  }

  /** Resolves when nothing is being packed. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    // Whoever appends goes first.
    await Promise.resolve();
    for (const session of this.#waiting) {
      this.#waiting.delete(session);
      try {
        await sealSession(this.#connection, session);
      } catch (error) {
        this.#waiting.add(session);
        this.#pausedUntil = Date.now() + PAUSE_AFTER_FAILURE_MS;
        this.#onError(error);
        return;
      }
    }
  }
}

/** A crash leaves either the rows or the blocks: both change in one transaction. */
export async function sealSession(connection: Connection, session: number): Promise<void> {
  const rows = connection.all<TailPart & { id: number }>(SELECT_TAIL, session);
  const newest = rows.at(-1);
  if (!newest) return;
  const sealed = await Promise.all(
    cutBlocks(rows).map(async (block) => ({ block, data: await packBlock(block) })),
  );
  connection.transaction(() => {
    const deleted = connection.run(DELETE_TAIL, session, newest.id);
    // The session was deleted meanwhile. Its number is never used again.
    if (deleted !== rows.length) return;
    for (const entry of sealed) insertBlock(connection, session, entry);
    const bytes = rows.reduce((sum, row) => sum + row.events.length + row.raws.length, 0);
    const events = rows.reduce((sum, row) => sum + row.last - row.first + 1, 0);
    connection.run(SHRINK_TAIL, events, bytes, session);
  });
}

function insertBlock(connection: Connection, session: number, { block, data }: Sealed): void {
  const { first, last, raw_first, raw_last, format } = block;
  connection.run(INSERT_BLOCK, session, first, last, raw_first, raw_last, format, data);
}
