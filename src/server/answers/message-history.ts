/**
 * Messages as records: stored ones, or folded again from the log if no record is stored. A fold may take a million
 * events, so it runs in slices, is shared by concurrent requests, and its result is cached for a while.
 */

import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { EventOf } from "../../core/event.ts";
import { endOfMessage, type FoldedRecord, foldRecord } from "../../core/fold-record.ts";
import { MessageIndex } from "../../core/message-index.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import { readLog } from "../../core/read-log.ts";
import type { MessageRow, Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { SizedCache } from "./sized-cache.ts";

/** The cache's size in characters, over all sessions. */
const CACHE_LENGTH = 16 * 1024 * 1024;
/** How many events at the end of a message are searched for the last raw record it names. */
const LOOK_BACK = 500;

type HistoryStore = Pick<Store, "readEvents" | "getSession">;

export class MessageHistory {
  readonly #store: HistoryStore;
  readonly #slices: TimeSlices;
  readonly #folding = new Map<string, Promise<FoldedRecord>>();
  readonly #cache = new SizedCache<FoldedRecord>(CACHE_LENGTH);

  constructor(store: HistoryStore, slices: TimeSlices) {
    this.#store = store;
    this.#slices = slices;
  }

  /** Drops what nobody used since the last call. Call it now and then. */
  sweep(): void {
    this.#cache.sweep();
  }

  async recordOf(session: string, row: MessageRow): Promise<MessageRecord> {
    if (row.record) return row.record;
    // A session that was deleted and made again under its id is another one.
    const { createdAt, head } = (await this.#store.getSession(session)) ?? { createdAt: 0, head: 0 };
    const last = row.state === "streaming" ? head : row.lastSeq;
    const key = `${session}\n${createdAt}\n${row.id}\n${last}`;
    const known = this.#cache.get(key) ?? this.#folding.get(key);
    if (known) return (await known).record;
    const folding = foldRecord(row, this.#pages(session, row.firstSeq - 1, endOfMessage(row)));
    this.#folding.set(key, folding);
    try {
      const folded = await folding;
      if (row.state === "done") this.#cache.set(key, folded);
      return folded.record;
    } finally {
      this.#folding.delete(key);
    }
  }

  /** The first and last raw record that events of a message name; undefined if none does. */
  async rawsOf(session: string, row: MessageRow): Promise<{ first: number; last: number } | undefined> {
    let first: number | undefined;
    for await (const page of this.#pages(session, row.firstSeq - 1, endOfMessage(row))) {
      first = rawsIn(page, row.id).at(0);
      if (first !== undefined) break;
    }
    if (first === undefined) return undefined;
    // Later events never name earlier records, so the last one is near the end.
    const { head } = await this.#store.readEvents(session, row.firstSeq - 1, 1);
    for (let end = Math.min(endOfMessage(row), head); end >= row.firstSeq; end -= LOOK_BACK) {
      const after = Math.max(row.firstSeq - 1, end - LOOK_BACK);
      const raws: number[] = [];
      for await (const page of this.#pages(session, after, end)) raws.push(...rawsIn(page, row.id));
      const last = raws.at(-1);
      if (last !== undefined) return { first, last };
    }
    return { first, last: first };
  }

  /** The event that ended a turn; undefined while it runs. `after` is any seq before it. */
  async endOfTurn(session: string, turn: string, after: number): Promise<EventOf<"turn.ended"> | undefined> {
    for await (const page of this.#pages(session, after, Number.POSITIVE_INFINITY)) {
      for (const encoded of page) {
        const event = eventOf(encoded);
        if (event.type === "turn.ended" && event.turn === turn) return event;
      }
    }
    return undefined;
  }

  /** Events after `after` up to `end`. */
  async *#pages(session: string, after: number, end: number): AsyncGenerator<readonly EncodedEvent[]> {
    for await (const page of readLog(this.#store, session, after, end)) {
      yield page;
      await this.#slices.pause();
    }
  }
}

function rawsIn(page: readonly EncodedEvent[], message: string): number[] {
  const index = new MessageIndex();
  return page.map(eventOf).flatMap((event) => (index.messageOf(event) === message ? (event.raw ?? []) : []));
}
