import fc from "fast-check";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { SizedCache } from "../answers/sized-cache.ts";
import { LogReader } from "./log-reader.ts";
import { ReadQueue } from "./read-queue.ts";
import { RecentMemory } from "./recent-memory.ts";
import { SessionChannel } from "./session-channel.ts";
import { StreamCounters } from "./stream-counters.ts";

/** What can happen in any order: a commit, its news (or their loss), an answer of the store, a socket that fills or empties. */
type Step = "commit" | "news" | "lose" | "read" | "fill" | "drain";

class World {
  readonly log: EncodedEvent[] = [];
  readonly received: number[] = [];
  isFull = false;
  deleted = 0;
  /** Commits whose news has not been told. */
  readonly news: EncodedEvent[][] = [];
  /** Reads of the store that have not been answered. */
  readonly reads: (() => void)[] = [];
  readonly channel: SessionChannel;
  readonly reader: LogReader;
  #tell: (events: readonly EncodedEvent[]) => void = () => {};

  constructor(first: number, after: number, pageEvents: number) {
    this.commit(first);
    this.news.length = 0;
    const store = {
      readEvents: async (_: string, cursor: number) => {
        // What is committed before the answer comes is not in it.
        const page = { events: this.log.slice(cursor, cursor + pageEvents), head: this.log.length };
        await new Promise<void>((resolve) => this.reads.push(resolve));
        return page;
      },
    };
    const engine = {
      follow: (_: string, tell: (events: readonly EncodedEvent[]) => void) => {
        this.#tell = tell;
        return { stop() {} };
      },
    };
    this.channel = new SessionChannel(
      "a",
      1,
      {
        engine,
        store,
        cache: new SizedCache(100),
        recent: new RecentMemory(1_000_000),
        slices: new TimeSlices(Number.POSITIVE_INFINITY),
        reads: new ReadQueue(1),
        counters: new StreamCounters(),
        pageBytes: 1,
        recentBytes: 20,
      },
      () => {},
    );
    const world = this;
    this.reader = new LogReader(this.channel, Math.min(after, first), {
      get isFull() {
        return world.isFull;
      },
      send: (slice) => this.received.push(...slice.events.map(({ seq }) => seq)),
      onDeleted: () => {
        this.deleted += 1;
      },
      onError: (error) => {
        throw error;
      },
    });
    this.reader.start();
  }

  commit(count: number): void {
    const events = Array.from({ length: count }, (_, index) => ({
      seq: this.log.length + 1 + index,
      json: "{}",
    }));
    this.log.push(...events);
    this.news.push(events);
  }

  async take(step: Step): Promise<void> {
    if (step === "commit") this.commit(3);
    if (step === "news") this.#tell(this.news.shift() ?? []);
    if (step === "lose") this.news.shift();
    if (step === "read") this.reads.shift()?.();
    if (step === "fill") this.isFull = true;
    if (step === "drain") {
      this.isFull = false;
      this.reader.resume();
    }
    await new Promise(setImmediate);
  }

  async settle(): Promise<void> {
    // After a loss the next news tells that something is missing.
    await this.take("commit");
    await this.take("drain");
    while (this.news.length > 0 || this.reads.length > 0) {
      await this.take("news");
      await this.take("read");
    }
  }
}

const steps = fc.array(fc.constantFrom<Step>("commit", "news", "lose", "read", "fill", "drain"), {
  maxLength: 60,
});

test("whatever the order of things, every event is sent once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 20 }),
      fc.nat(20),
      fc.integer({ min: 1, max: 8 }),
      async (order, first, after, pageEvents) => {
        const world = new World(first, after, pageEvents);
        const begin = Math.min(after, first);
        for (const step of order) {
          const { length } = world.received;
          const wasFull = world.isFull;
          await world.take(step);
          if (wasFull && step !== "drain") expect(world.received.length).toBe(length);
        }
        await world.settle();
        expect(world.received).toEqual(world.log.slice(begin).map(({ seq }) => seq));
        expect(world.reader.isLevel).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test("a session that was deleted before anybody followed it ends its readers", async () => {
  const world = new World(0, 0, 10);
  await world.take("read");
  expect([world.deleted, world.received]).toEqual([1, []]);
});

test("a stream is not cut off by a commit while the store is asked for the end of the log", async () => {
  const world = new World(5, 5, 10);
  for (const step of ["commit", "news", "read", "read"] as const) await world.take(step);
  expect(world.received).toEqual([6, 7, 8]);
  expect(world.reader.isLevel).toBe(true);
});

test("a log that ends before what is known of it fails whoever reads on from there", async () => {
  const world = new World(5, 5, 10);
  await world.take("read");
  world.log.length = 3;
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  new LogReader(world.channel, 3, { isFull: false, send() {}, onDeleted() {}, onError }).start();
  await world.take("read");
  expect(errors).toEqual([new Error("The log ends at 3, too early.")]);
});

test("a reader at the end of a followed log reads nothing", async () => {
  const world = new World(5, 5, 10);
  await world.take("read");
  const second = new LogReader(world.channel, 5, { isFull: false, send() {}, onDeleted() {}, onError() {} });
  second.start();
  expect(second.isLevel).toBe(true);
  expect(world.reads).toHaveLength(0);
});

test("readers at the same place share one read", async () => {
  const world = new World(5, 0, 10);
  const received: number[] = [];
  const second = new LogReader(world.channel, 0, {
    isFull: false,
    send: (slice) => received.push(slice.last),
    onDeleted() {},
    onError() {},
  });
  second.start();
  await world.take("read");
  expect(received).toEqual([5]);
  expect(world.channel.counters.pagesRead).toBe(1);
});

test("an output that throws ends its own reader, and neither the daemon nor the other readers", async () => {
  const world = new World(3, 3, 10);
  const errors: unknown[] = [];
  const fault = new Error("a view threw");
  const reader = new LogReader(world.channel, 3, {
    isFull: false,
    send: () => {
      throw fault;
    },
    onDeleted: () => {},
    onError: (error) => errors.push(error),
  });
  reader.start();
  await world.take("read");
  await world.take("read");
  expect([world.reader.isLevel, reader.isLevel]).toEqual([true, true]);
  for (const step of ["commit", "news", "commit", "news"] as const) await world.take(step);
  expect(errors).toEqual([fault]);
  expect(world.received).toEqual([4, 5, 6, 7, 8, 9]);
});
