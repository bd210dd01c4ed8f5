/** What was said is found at once, whether its words are in the index yet or not. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SearchQuery, SessionAppend } from "../../core/store.ts";
import { until } from "../../testkit/until.ts";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import { openStoreReadOnly } from "../open-store.ts";
import type { ReadableStore } from "../readable-store.ts";
import type { Connection } from "./connection.ts";
import { DATABASE_FILE } from "./data-directory.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const NEVER = 3_600_000;

let directory: string;
let connection: Connection;
let store: SqliteStore;

beforeEach(() => {
  directory = temporaryDirectory();
  open({ indexDelayMs: NEVER });
});

afterEach(async () => {
  await store.close();
  removeTemporaryDirectories();
});

function open(options: SqliteStoreOptions = {}): void {
  connection = openDatabase(directory);
  store = new SqliteStore(connection, { indexDelayMs: 0, ...options });
}

/** A message of the history that says this. */
function saying(message: string, text: string, position = 1): Pick<SessionAppend, "messages" | "texts"> {
  return { messages: [sampleMessage(message, { position })], texts: [{ message, at: position, text }] };
}

async function find(where: ReadableStore, words: string, more: Partial<SearchQuery> = {}): Promise<string[]> {
  const { hits } = await where.searchMessages({ words, limit: 100, ...more });
  return hits.map(({ session, message }) => `${session.id} ${message}`);
}

const count = (sql: string) =>
  connection.get<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`)?.count;
const noted = () => count("text_to_index");
const indexed = () => count("message_search WHERE message_search MATCH 'zebra'");

describe("the words of messages", () => {
  it("are indexed after the commit, once, and are found before and after it", async () => {
    const sample = new SampleSession("a");
    for (let n = 1; n <= 3; n += 1)
      await store.append([sample.batch({ events: 1, ...saying(`m${n}`, `zebra ${n}`, n) })]);
    expect([noted(), indexed()]).toEqual([3, 0]);
    expect(await find(store, "zeb")).toEqual(["a m3", "a m2", "a m1"]);
    await store.close();
    open();
    expect([noted(), indexed()]).toEqual([0, 3]);
    expect(await find(store, "zeb")).toEqual(["a m3", "a m2", "a m1"]);

    await store.append([sample.batch({ events: 1, ...saying("m4", "zebra 4", 4) })]);
    await until(() => noted() === 0);
    expect(indexed()).toBe(4);
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("are those of the newest text, although the index still has the former one", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1, ...saying("m", "zebra") })]);
    await store.close();
    open({ indexDelayMs: NEVER });
    await store.append([sample.batch(saying("m", "okapi"))]);
    expect([await find(store, "zebra"), await find(store, "okapi")]).toEqual([[], ["a m"]]);
    await store.close();
    open();
    expect([await find(store, "zebra"), await find(store, "okapi")]).toEqual([[], ["a m"]]);
  });

  it("are found by who only reads, and indexed at the next start, when the daemon was killed", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1, ...saying("m", "zebra") })]);
    const left = temporaryDirectory();
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    copyFileSync(join(directory, DATABASE_FILE), join(left, DATABASE_FILE));
    const reader = await openStoreReadOnly(left);
    expect(await find(reader, "zebra")).toEqual(["a m"]);
    await reader.close();

    await store.close();
    directory = left;
    open();
    await until(() => noted() === 0);
    expect(indexed()).toBe(1);
    expect(await find(store, "zebra")).toEqual(["a m"]);
  });

  it("leave with their session, and another message of the same number gets none of them", async () => {
    const sample = new SampleSession("a");
    await store.append([sample.batch({ events: 1, ...saying("m1", "zebra") })]);
    await store.close();
    open({ indexDelayMs: NEVER });
    await store.append([sample.batch({ events: 1, ...saying("m2", "zebra", 2) })]);
    await store.deleteSession("a");
    expect([noted(), indexed()]).toEqual([0, 0]);
    await store.append([new SampleSession("b").batch({ events: 1, ...saying("m", "okapi") })]);
    expect([await find(store, "zebra"), await find(store, "okapi")]).toEqual([[], ["b m"]]);
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });

  it("stay noted while the disk is full, and are found meanwhile", async () => {
    const errors: unknown[] = [];
    await store.close();
    open({ onSealError: (error) => errors.push(error) });
    const text = `zebra ${Array.from({ length: 2000 }, (_, n) => `word${n}`).join(" ")}`;
    const append = new SampleSession("a").batch({ events: 1, ...saying("m", text) });
    await store.append([append]);
    const { pages } = connection.get<{ pages: number }>("SELECT page_count AS pages FROM pragma_page_count")!;
    connection.exec(`PRAGMA max_page_count = ${pages}`);
    await until(() => errors.length > 0);
    expect(errors).toEqual([expect.objectContaining({ errcode: 13 })]);
    expect([noted(), await find(store, "zebra word1999")]).toEqual([1, ["a m"]]);
    connection.exec("PRAGMA max_page_count = 1000000");
    await store.close();
    open();
    await until(() => noted() === 0);
    expect(await find(store, "zebra word1999")).toEqual(["a m"]);
  });

  it("of a thousand messages at once are read themselves, and a page tells that there are more", async () => {
    const sample = new SampleSession("a");
    const ids = Array.from({ length: 1001 }, (_, n) => `m${n}`);
    await store.append([
      sample.batch({
        events: 1,
        messages: ids.map((id, n) => sampleMessage(id, { position: n + 1 })),
        texts: ids.map((message) => ({ message, at: 1, text: "zebra" })),
      }),
    ]);
    const page = await store.searchMessages({ words: "zebra", limit: 2 });
    expect(page).toMatchObject({ isIncomplete: true, hits: [{ message: "m1000" }, { message: "m999" }] });
    await until(() => noted() === 0);
    expect((await store.searchMessages({ words: "zebra", limit: 2 })).isIncomplete).toBeUndefined();
  });

  it("are found as in memory, whatever is indexed when", async () => {
    const session = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ session, message: fc.nat(5), words: fc.nat(7) }) },
      { weight: 1, arbitrary: fc.record({ deleted: session }) },
      { weight: 1, arbitrary: fc.constant("index" as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const model = new MemoryStore();
        const samples = new Map<string, SampleSession>();
        await store.close();
        directory = temporaryDirectory();
        open({ indexDelayMs: NEVER });
        for (const next of steps) {
          if (next === "index") {
            await store.close();
            open({ indexDelayMs: NEVER });
          } else if ("deleted" in next) {
            samples.delete(next.deleted);
            for (const each of [model, store]) await each.deleteSession(next.deleted);
          } else {
            const sample = samples.get(next.session) ?? new SampleSession(next.session);
            samples.set(next.session, sample);
            const text = ["zebra", "okapi", "ibis"].filter((_, n) => next.words & (1 << n)).join(" ");
            const append = sample.batch({ events: 1, ...saying(`m${next.message}`, text, next.message + 1) });
            for (const each of [model, store]) await each.append([append]);
          }
        }
        for (const words of ["zebra", "oka", "ibis zebra"]) {
          const [expected, found] = await Promise.all([find(model, words), find(store, words)]);
          expect(found.toSorted()).toEqual(expected.toSorted());
          const numbers = await pagesOf(words);
          expect(numbers).toEqual(found);
        }
        expect((await store.check()).problems).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

/** All that a search finds, one message on each page. */
async function pagesOf(words: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.searchMessages({ words, limit: 1, cursor });
    found.push(...page.hits.map(({ session, message }) => `${session.id} ${message}`));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
