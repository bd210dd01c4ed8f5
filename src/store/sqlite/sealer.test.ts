import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SampleSession } from "../contract/sample-session.ts";
import { BLOCK_BYTES, BLOCK_EVENTS } from "../format/cut-blocks.ts";
import { type PackedAppend, packBatch, writeBatch } from "./append.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open-database.ts";
import { sealSession } from "./seal-session.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

interface Spans {
  first: number;
  last: number;
}

let directory: string;
let connection: Connection;
let store: SqliteStore;

beforeEach(() => {
  directory = temporaryDirectory();
  open();
});

afterEach(async () => {
  await store.close();
  removeTemporaryDirectories();
});

function open(options: ConstructorParameters<typeof SqliteStore>[1] = {}): void {
  connection = openDatabase(directory);
  store = new SqliteStore(connection, { sealDelayMs: 0, ...options });
}

const blocks = () => connection.all<Spans>("SELECT first, last FROM block ORDER BY id");
const tailRows = () => connection.get<{ count: number }>("SELECT count(*) AS count FROM tail")?.count;
const tailSize = () => connection.get<object>("SELECT tail_events, tail_bytes FROM session");

/** Waits until nothing is left to pack. */
async function packed(): Promise<void> {
  for (let wait = 0; tailRows() !== 0 && wait < 500; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("packing the tail", () => {
  it("packs when asked to, and keeps rows until then", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 10, raws: 3 })]);
    await store.append([sample.batch({ events: 10, raws: 3 })]);
    expect(tailRows()).toBe(2);
    await store.append([sample.batch({ seal: true })]);
    await packed();
    expect(blocks()).toEqual([{ first: 1, last: 20 }]);
    expect(tailSize()).toEqual({ tail_events: 0, tail_bytes: 0 });
  });

  it("packs a tail of many events, and one of much text, by itself", async () => {
    const many = new SampleSession("many");
    for (let n = 0; n < 10; n += 1) await store.append([many.batch({ events: BLOCK_EVENTS / 10 })]);
    await packed();
    expect(blocks()).toEqual([{ first: 1, last: BLOCK_EVENTS }]);
    const much = new SampleSession("much");
    const text = "x".repeat(BLOCK_BYTES / 8);
    for (let n = 0; n < 8; n += 1) await store.append([much.batch({ events: [text] })]);
    await packed();
    expect(
      blocks()
        .slice(1)
        .map(({ last }) => last),
    ).toEqual([8]);
  });

  it("packs a large commit at once, together with the tail before it", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 5, raws: 2 })]);
    await store.append([sample.batch({ events: BLOCK_EVENTS / 2, raws: 100 })]);
    expect(tailRows()).toBe(0);
    expect(tailSize()).toEqual({ tail_events: 0, tail_bytes: 0 });
    expect(blocks()).toEqual([{ first: 1, last: 5 + BLOCK_EVENTS / 2 }]);
    expect((await store.readEvents("a", 0, 5000)).events).toEqual(sample.events);
    expect((await store.readRaws("a", 0, 5000)).raws).toEqual(sample.raws);
  });

  it("packs a commit of many megabytes before its transaction, behind the tail before it", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 5, raws: 2 })]);
    const huge = "x".repeat(20 * BLOCK_BYTES);
    const [packedAppend] = await packBatch([sample.batch({ events: ["a", huge, "b"], raws: ["r", "s"] })]);
    expect(packedAppend?.blocks?.map(({ block }) => block.last)).toEqual([6, 7, 8]);
    writeBatch(connection, [packedAppend!]);
    expect(tailRows()).toBe(0);
    expect(blocks().map(({ last }) => last)).toEqual([5, 6, 7, 8]);
    await store.append([sample.batch({ events: 3, raws: 1 })]);
    expect((await store.readEvents("a", 0, 5000)).events).toEqual(sample.events);
    expect((await store.readRaws("a", 0, 5000)).raws).toEqual(sample.raws);
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("loses nothing when a large commit overtakes the packing in the background", async () => {
    const sample = new SampleSession("a");
    for (const events of [2, 2, 2]) await store.append([sample.batch({ events, raws: 1 })]);
    const large = await packBatch([sample.batch({ events: BLOCK_EVENTS / 2 })]);
    const small: PackedAppend[][] = [];
    for (const events of [1, 1, 1]) small.push(await packBatch([sample.batch({ events, raws: 1 })]));
    const { id } = connection.get<{ id: number }>("SELECT id FROM session")!;
    const sealing = sealSession(connection, id);
    // It has read three rows and waits for their packing; these take the rows, and then their numbers.
    for (const batch of [large, ...small]) writeBatch(connection, batch);
    await sealing;
    expect(tailRows()).toBe(3);
    expect((await store.readEvents("a", 0, 100_000)).events).toEqual(sample.events);
    expect((await store.readRaws("a", 0, 100_000)).raws).toEqual(sample.raws);
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("cuts a commit that is too large for a block, and leaves one large event whole", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 2500, raws: 700 })]);
    await packed();
    expect(Math.max(...blocks().map(({ first, last }) => last - first + 1))).toBeLessThanOrEqual(
      2 * BLOCK_EVENTS,
    );
    await store.append([
      sample.batch({ events: ["a", "x".repeat(3 * BLOCK_BYTES), "b"], raws: ["r"], seal: true }),
    ]);
    await packed();
    expect(blocks().at(-2)).toEqual({ first: 2502, last: 2502 });
    expect((await store.readEvents("a", 0, 5000)).events).toEqual(sample.events);
    expect((await store.readRaws("a", 0, 5000)).raws).toEqual(sample.raws);
  });

  it("packs many short turns together", async () => {
    const sample = new SampleSession("a");
    for (let turn = 0; turn < 60; turn += 1) {
      await store.append([sample.batch({ events: 20, raws: 10, seal: true })]);
      await packed();
    }
    expect(blocks().length).toBeLessThanOrEqual(3);
    expect((await store.readEvents("a", 0, 5000)).events).toEqual(sample.events);
    expect((await store.readRaws("a", 0, 5000)).raws).toEqual(sample.raws);
    expect(await store.check()).toMatchObject({ ok: true, events: 1200 });
  });

  it("never hides or repeats an event from somebody who reads meanwhile", async () => {
    const sample = new SampleSession("a");
    let writing = true;
    const reader = async () => {
      while (writing) {
        const { events, head } = await store.readEvents("a", 0, 100_000);
        expect(events).toEqual(sample.events.slice(0, head));
        expect((await store.readRaws("a", 0, 100_000)).raws.length).toBeGreaterThanOrEqual(0);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const reading = Promise.all([reader(), reader()]);
    for (let n = 0; n < 150; n += 1) {
      await store.append([sample.batch({ events: n % 50, raws: n % 7, seal: n % 3 === 0 })]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    writing = false;
    await reading;
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("drops what it packed when the session was deleted meanwhile", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 20, seal: true })]);
    await store.deleteSession("a");
    const again = new SampleSession("a");
    await store.append([again.batch({ events: 2 })]);
    await store.close();
    open();
    expect((await store.readEvents("a", 0, 10)).events).toEqual(again.events);
    expect(await store.check()).toMatchObject({ ok: true, sessions: 1, events: 2 });
  });

  it("packs what a dead daemon left", async () => {
    await store.append([
      new SampleSession("a").batch({ events: 3 }),
      new SampleSession("b").batch({ raws: 3 }),
    ]);
    await store.close();
    open();
    await packed();
    expect(blocks()).toHaveLength(2);
  });

  it("keeps the rows and says so when packing fails", async () => {
    const failures: unknown[] = [];
    await store.close();
    open({ onSealError: (error) => failures.push(error) });
    connection.exec(
      "CREATE TEMP TRIGGER full BEFORE INSERT ON block BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 3, seal: true })]);
    await store.append([sample.batch({ events: 3 })]);
    await expect.poll(() => failures.length).toBe(1);
    expect((await store.readEvents("a", 0, 10)).events).toEqual(sample.events);
    expect(await store.check()).toMatchObject({ ok: true });
    await store.close();
    open();
    await packed();
    expect(blocks()).toEqual([{ first: 1, last: 6 }]);
  });
});
