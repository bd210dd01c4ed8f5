import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { until } from "../../testkit/until.ts";
import { SizedCache } from "../answers/sized-cache.ts";
import { LogReader } from "./log-reader.ts";
import { ReadQueue } from "./read-queue.ts";
import { RecentMemory } from "./recent-memory.ts";
import { SessionChannel } from "./session-channel.ts";
import { StreamCounters } from "./stream-counters.ts";

const READERS = 20;

/** A log with readers that are level, of a daemon in which every step of long work ends a slice. */
async function startWorld(recentBytes = 1_000_000, poison = -1) {
  const log: EncodedEvent[] = [{ seq: 1, json: "{}" }];
  let publish = (_: readonly EncodedEvent[]) => {};
  let remove = () => {};
  let reads = 0;
  const faults: unknown[] = [];
  const channel = new SessionChannel(
    "a",
    1,
    {
      engine: {
        follow: (_, onEvents, onDeleted) => {
          publish = onEvents;
          remove = onDeleted ?? remove;
          return { stop() {} };
        },
      },
      store: {
        readEvents: async (_, cursor) => {
          reads += 1;
          return { events: log.slice(cursor), head: log.length };
        },
      },
      cache: new SizedCache(1_000_000),
      recent: new RecentMemory(1_000_000),
      slices: new TimeSlices(0),
      reads: new ReadQueue(4),
      counters: new StreamCounters(),
      pageBytes: 1000,
      recentBytes,
      onFault: (error) => faults.push(error),
    },
    () => {},
  );
  const received: number[][] = [];
  let deleted = 0;
  for (let n = 0; n < READERS; n += 1) {
    const seqs: number[] = [];
    received.push(seqs);
    const output = {
      isFull: false,
      send: (slice: { events: readonly EncodedEvent[] }) => {
        if (n === 0 && slice.events.some(({ seq }) => seq === poison)) throw new Error("on purpose");
        seqs.push(...slice.events.map(({ seq }) => seq));
      },
      onDeleted: () => {
        deleted += 1;
      },
      onError: (error: unknown) => {
        throw error;
      },
    };
    new LogReader(channel, 0, output).start();
  }
  const countAt = (seq: number) => received.filter((seqs) => seqs.at(-1) === seq).length;
  const commit = (json = "{}") => {
    const event = { seq: log.length + 1, json };
    log.push(event);
    publish([event]);
  };
  return {
    log,
    faults,
    received,
    countAt,
    commit,
    remove: () => remove(),
    deleted: () => deleted,
    reads: () => reads,
  };
}

test("readers that read the same page at once share it, and each sends it in a turn of its own", async () => {
  const { countAt, reads } = await startWorld();
  let most = 0;
  while (countAt(1) < READERS) {
    const before = countAt(1);
    await setImmediate();
    most = Math.max(most, countAt(1) - before);
  }
  expect(most).toBeLessThanOrEqual(2);
  expect(reads()).toBe(1);
});

test("a commit reaches thousands of readers in slices, and each gets every event once and in order", async () => {
  const { received, countAt, commit } = await startWorld();
  await until(() => countAt(1) === READERS);
  // Each may have to wait for a turn before it is level.
  for (let turn = 0; turn < 2 * READERS; turn += 1) await setImmediate();
  commit();
  await setImmediate();
  expect(countAt(2)).toBeLessThan(READERS / 2);
  commit();
  commit();
  await until(() => countAt(4) === READERS);
  for (const seqs of received) expect(seqs).toEqual([1, 2, 3, 4]);
});

test("commits that come faster than readers take them are not kept: the readers read the log", async () => {
  const { received, countAt, commit } = await startWorld(100);
  await until(() => countAt(1) === READERS);
  for (let n = 0; n < 50; n += 1) {
    commit(`"${"x".repeat(40)}"`);
    await setImmediate();
  }
  await until(() => countAt(51) === READERS);
  for (const seqs of received) expect(seqs).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
});

test("a session that is deleted while a commit is on its way to the readers reaches all of them first", async () => {
  const { received, countAt, commit, remove, deleted } = await startWorld();
  await until(() => countAt(1) === READERS);
  commit();
  await setImmediate();
  commit();
  remove();
  expect(deleted()).toBe(READERS);
  for (const seqs of received) expect(seqs).toEqual([1, 2, 3]);
});

test("a reader that throws, and throws again when it is told of that, silences no other reader", async () => {
  const { received, faults, countAt, commit } = await startWorld(1_000_000, 2);
  await until(() => countAt(1) === READERS);
  for (let turn = 0; turn < 2 * READERS; turn += 1) await setImmediate();
  commit();
  await until(() => countAt(2) === READERS - 1);
  commit();
  await until(() => countAt(3) === READERS - 1);
  expect(received[0]).toEqual([1]);
  expect(faults).toEqual([new Error("on purpose")]);
});
