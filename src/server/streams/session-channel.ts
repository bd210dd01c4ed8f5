/** What one session's readers share: notifications of commits, recent events in memory, and reads of the store. */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { Engine } from "../../engine/engine.ts";
import { eventsLost } from "../../protocol/refusals.ts";
import type { SizedCache } from "../answers/sized-cache.ts";
import type { LogReader } from "./log-reader.ts";
import { cutSlices, LogSlice } from "./log-slice.ts";
import type { ReadQueue } from "./read-queue.ts";
import type { RecentMemory } from "./recent-memory.ts";
import type { StreamCounters } from "./stream-counters.ts";

/** Large enough that most batches are one write; small enough that a slow socket holds little. */
const SEGMENT_LENGTH = 64 * 1024;
export const PAGE_EVENTS = 2000;
/** Small batches make many slices; readers further behind are better served with whole pages of the store. */
const RECENT_SEGMENTS = 512;

export interface ChannelDependencies {
  engine: Pick<Engine, "follow">;
  store: Pick<Store, "readEvents">;
  reads: ReadQueue;
  cache: SizedCache<LogSlice>;
  recent: RecentMemory;
  slices: TimeSlices;
  counters: StreamCounters;
  pageBytes: number;
  recentBytes: number;
  /** Gets what a reader threw that could not even be ended. */
  onFault?(error: unknown): void;
}

export class SessionChannel {
  readonly counters: StreamCounters;
  readonly #session: string;
  readonly #number: number;
  readonly #dependencies: ChannelDependencies;
  readonly #readers = new Set<LogReader>();
  readonly #pages = new Map<number, Promise<LogSlice | undefined>>();
  readonly #follower: { stop(): void };
  readonly #onEmpty: () => void;
  #recent: LogSlice[] = [];
  #recentLength = 0;
  /** Committed, and not given to the readers yet. */
  #fresh: LogSlice[] = [];
  /** Being given to the readers, one after the other. */
  #underWay: readonly LogSlice[] = [];
  #isDelivering = false;
  #head = Number.POSITIVE_INFINITY;

  /**
   * `number` is unique per channel, even if a deleted session had the same id. Calls `onEmpty` when the last reader has
   * gone; the channel must not be used after that.
   */
  constructor(session: string, number: number, dependencies: ChannelDependencies, onEmpty: () => void) {
    this.#session = session;
    this.#number = number;
    this.#dependencies = dependencies;
    this.#onEmpty = onEmpty;
    this.counters = dependencies.counters;
    this.#follower = dependencies.engine.follow(
      session,
      (events) => this.#publish(events),
      () => this.#deleted(),
      (head) => this.#cutShort(head),
    );
  }

  /** The seq of the newest known event; infinite until the first read or batch. */
  get head(): number {
    return this.#head;
  }

  add(reader: LogReader): void {
    this.#readers.add(reader);
  }

  remove(reader: LogReader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#follower.stop();
    this.#dependencies.recent.forget(this);
    this.#onEmpty();
  }

  forgetRecent(): void {
    this.#forget(this.#recent.length);
  }

  /** The events after `cursor`, if they are still in memory. */
  recent(cursor: number): LogSlice | undefined {
    const oldest = this.#recent[0];
    if (!oldest || cursor + 1 < oldest.first) return undefined;
    return this.#recent.find((slice) => slice.last > cursor)?.after(cursor);
  }

  /** Await it between pages, so that catching up over a long log does not block others. */
  pause(): Promise<void> | undefined {
    return this.#dependencies.slices.pause();
  }

  /**
   * The events after `cursor` from the store; undefined where there were none when it was asked. Readers at the same position
   * share one read and one buffer.
   */
  async read(cursor: number): Promise<LogSlice | undefined> {
    // A cached page stays valid as the log grows, only shorter than a new one.
    const key = `${this.#number}:${cursor}`;
    const known = this.#dependencies.cache.get(key) ?? this.#pages.get(cursor);
    if (known) return known;
    const reading = this.#readPage(cursor);
    this.#pages.set(cursor, reading);
    try {
      const page = await reading;
      if (page) this.#dependencies.cache.set(key, page);
      return page;
    } finally {
      this.#pages.delete(cursor);
    }
  }

  async #readPage(cursor: number): Promise<LogSlice | undefined> {
    const { store, reads, pageBytes } = this.#dependencies;
    this.counters.pagesRead += 1;
    const known = this.#head;
    const page = await reads.run(() => store.readEvents(this.#session, cursor, PAGE_EVENTS, pageBytes));
    // A log is never empty: it was deleted before this channel began to follow it.
    if (page.head === 0) this.#deleted();
    // What its readers have seen after that is not there any more.
    else if (page.head < cursor) this.#cutShort(page.head);
    else this.#reached(page.head);
    if (page.events.length > 0) return new LogSlice(page.events);
    // What was committed while it was read is not in it.
    if (Number.isFinite(known) && cursor < known) throw new Error(`The log ends at ${cursor}, too early.`);
    return undefined;
  }

  #publish(events: readonly EncodedEvent[]): void {
    if (events.length === 0) return;
    const slices = cutSlices(events, SEGMENT_LENGTH);
    this.#keep(slices);
    this.#reached(events.at(-1)!.seq);
    // First the agent gets what was waiting for the commit, however many readers there are.
    if (!this.#isDelivering) process.nextTick(() => this.#deliver().catch((error) => this.noteFault(error)));
    this.#isDelivering = true;
    this.#fresh.push(...slices);
    this.#boundFresh();
  }

  /** The newest stays: by the gap before it a reader notices that it is behind, and reads what it lacks. */
  #boundFresh(): void {
    let length = this.#fresh.reduce((sum, slice) => sum + slice.length, 0);
    while (length > this.#dependencies.recentBytes && this.#fresh.length > 1)
      length -= this.#fresh.shift()!.length;
  }

  /** In slices, since there may be thousands of readers. What is committed meanwhile follows when all have this. */
  async #deliver(): Promise<void> {
    try {
      while (this.#fresh.length > 0) {
        const slices = this.#fresh;
        this.#underWay = slices;
        this.#fresh = [];
        for (const reader of this.#readers) {
          reader.take(slices);
          const pause = this.pause();
          if (pause) await pause;
        }
        for (const slice of slices) slice.compact();
      }
    } finally {
      this.#underWay = [];
      this.#isDelivering = false;
    }
  }

  noteFault(error: unknown): void {
    this.#dependencies.onFault?.(error);
  }

  #reached(seq: number): void {
    this.#head = this.#head === Number.POSITIVE_INFINITY ? seq : Math.max(this.#head, seq);
  }

  #keep(slices: readonly LogSlice[]): void {
    for (const slice of slices) {
      // Recent events have no gaps: after a gap they start over.
      if (this.#recent.at(-1)?.last !== slice.first - 1) this.#forget(this.#recent.length);
      this.#recent.push(slice);
      this.#recentLength += slice.length;
    }
    while (this.#recentLength > this.#dependencies.recentBytes || this.#recent.length > RECENT_SEGMENTS)
      this.#forget(1);
    this.#dependencies.recent.note(this, this.#recentLength);
  }

  #forget(count: number): void {
    for (const slice of this.#recent.splice(0, count)) this.#recentLength -= slice.length;
  }

  /** All come back, and get another channel: this one may keep what is not there any more. */
  #cutShort(head: number): void {
    this.#fresh = [];
    for (const reader of [...this.#readers]) reader.cutShort(eventsLost(this.#session, head));
  }

  #deleted(): void {
    // A reader leaves out what it has.
    const last = [...this.#underWay, ...this.#fresh];
    this.#fresh = [];
    for (const reader of [...this.#readers]) {
      if (last.length > 0) reader.take(last);
      reader.deleted();
    }
  }
}
