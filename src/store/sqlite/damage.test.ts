/** What a store does when single rows cannot be read, or are not what was written. */
import { rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { ReadFaults } from "../read-faults.ts";
import { REMEDIES } from "../read-problems.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

let directory: string;
let connection: Connection;
let store: SqliteStore;
let damaged: (string | undefined)[];
const a = () => new SampleSession("a");
const b = () => new SampleSession("b");

beforeEach(() => {
  directory = temporaryDirectory();
  damaged = [];
  open();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
  removeTemporaryDirectories();
});

function open(options: SqliteStoreOptions = {}): void {
  connection = openDatabase(directory);
  store = new SqliteStore(connection, {
    sealDelayMs: 0,
    onDamage: (session) => damaged.push(session),
    ...options,
  });
}

const rows = (table: string) =>
  connection.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)?.count;

describe("a read that fails", () => {
  it("together with the end of its transaction is heard by whoever reads, and by nobody else", async () => {
    const [bad, good] = [a(), b()];
    await store.append([bad.batch({ events: 600, seal: true }), good.batch({ events: 600, seal: true })]);
    const failure = Object.assign(new Error("disk I/O error"), { errcode: 266 });
    const [get, run] = [connection.get.bind(connection), connection.run.bind(connection)];
    vi.spyOn(connection, "get").mockImplementation((sql, ...values) => {
      if (sql.includes("data") && values[0] === 1) throw failure;
      return get(sql, ...values) as never;
    });
    vi.spyOn(connection, "run").mockImplementation((sql, ...values) => {
      const result = run(sql, ...values);
      if (sql === "COMMIT") throw failure;
      return result;
    });
    const unheard: unknown[] = [];
    const listen = (error: unknown) => unheard.push(error);
    process.on("unhandledRejection", listen);
    try {
      const reading = store.readEvents("a", 0, 10);
      await expect(reading).rejects.toMatchObject({ code: "session_damaged" });
      await expect(reading).rejects.toThrow(/and restore a backup with `interlingua backup restore`\.$/);
      await new Promise((resolve) => setImmediate(resolve));
      expect(unheard).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
    vi.restoreAllMocks();
    expect((await store.readEvents("b", 0, 1000)).events).toEqual(good.events);
    expect(store.health()).toEqual({ problem: undefined, damagedSessions: ["a"] });
    expect(damaged).toEqual(["a"]);
  });

  it("is session_damaged for events, raw records, messages and asks, each alone", async () => {
    const sample = a();
    await store.append([
      sample.batch({
        events: 5,
        raws: ["x".repeat(100_000)],
        messages: [sampleMessage("m", { position: 1 })],
        asks: [{ ask: "q", kind: "question", state: "open", openedSeq: 1, openedAt: 1, opened: "{}" }],
      }),
    ]);
    connection.exec("UPDATE raw_blob SET data = zeroblob(9)");
    await expect(store.readRaws("a", 0, 10)).rejects.toMatchObject({ code: "session_damaged" });
    expect((await store.readEvents("a", 0, 10)).events).toEqual(sample.events);
    connection.exec("UPDATE message SET role = 'system'; UPDATE ask SET kind = 'permission'");
    await expect(store.getMessage("a", "m")).rejects.toMatchObject({ code: "session_damaged" });
    await expect(store.listMessages("a", { limit: 10 })).rejects.toMatchObject({ code: "session_damaged" });
    await expect(store.getAsk("a", "q")).rejects.toMatchObject({ code: "session_damaged" });
    await expect(store.openAsks({ session: "a" })).rejects.toMatchObject({ code: "session_damaged" });
    expect(await store.openAsks()).toEqual({ asks: [] });
    connection.exec("DELETE FROM tail");
    await expect(store.readEvents("a", 0, 10)).rejects.toThrow("gap in its events after 0");
    connection.exec("UPDATE session SET title = 'another'");
    await expect(store.getSession("a")).rejects.toMatchObject({ code: "session_damaged" });
    expect((await store.listSessions({ limit: 10 })).sessions).toEqual([]);
    expect(damaged).toEqual(["a"]);
    expect(await store.deleteSession("a")).toBe(true);
    expect(store.health().damagedSessions).toEqual([]);
  });

  it("does without a snapshot or a stored message that is damaged: the log gives the same", async () => {
    const record = { id: "m", role: "user" as const, at: 1 };
    await store.append([
      a().batch({
        events: 5,
        messages: [sampleMessage("m", { position: 1, record, foldVersion: 1 })],
        snapshot: { seq: 5, json: "{}" },
      }),
    ]);
    connection.exec("UPDATE snapshot SET json = '[]'; UPDATE message SET record = x'7b7d'");
    expect(await store.loadState("a")).toEqual({
      row: expect.objectContaining({ head: 5 }),
      snapshot: undefined,
    });
    expect(await store.getMessage("a", "m")).not.toHaveProperty("record");
    expect(damaged).toEqual(["a"]);
  });

  it("of an index that leads to another session's row is not taken for this one's", async () => {
    const [first, second] = [a(), b()];
    await store.append([first.batch({ events: 5 }), second.batch({ events: 5 })]);
    connection.exec("UPDATE session SET key = 'c' WHERE key = 'b'");
    connection.exec("UPDATE session SET key = 'b' WHERE key = 'a'");
    await expect(store.readEvents("b", 0, 10)).rejects.toMatchObject({ code: "session_damaged" });
    connection.exec("UPDATE tail SET session = 3 - session");
    connection.exec("UPDATE session SET key = 'a' WHERE id = 1; UPDATE session SET key = 'b' WHERE id = 2");
    await expect(store.readEvents("a", 0, 10)).rejects.toMatchObject({ code: "session_damaged" });
  });
});

describe("an append", () => {
  it("to a damaged session fails alone, and the others are written", async () => {
    const [bad, good] = [a(), b()];
    await store.append([bad.batch({ events: 5 }), good.batch({ events: 5 })]);
    connection.exec("UPDATE session SET head = 4 WHERE key = 'a'");
    const more = good.batch({ events: 5 });
    await expect(store.append([more, bad.batch({ events: 5 })])).rejects.toMatchObject({
      code: "session_damaged",
    });
    await store.append([more]);
    expect((await store.readEvents("b", 0, 100)).events).toEqual(good.events);
  });

  it("does not pack a damaged tail under a checksum that fits", async () => {
    const sample = a();
    await store.append([sample.batch({ events: 5 })]);
    connection.exec("UPDATE tail SET events = replace(events, 'text', 'texd')");
    await expect(store.append([sample.batch({ events: 900 })])).rejects.toMatchObject({
      code: "session_damaged",
    });
    expect(rows("block")).toBe(0);
  });
});

describe("packing in the background", () => {
  it("passes over a damaged session and goes on with the others", async () => {
    const [bad, good] = [a(), b()];
    await store.close();
    open({ sealDelayMs: 3_600_000 });
    await store.append([bad.batch({ events: 5, seal: true }), good.batch({ events: 5, seal: true })]);
    connection.exec("UPDATE tail SET raws = 'x' WHERE session = 1");
    await store.close();
    open();
    await expect.poll(() => rows("tail")).toBe(1);
    expect(damaged).toEqual(["a"]);
    await store.append([bad.batch({ events: 1, seal: true }), good.batch({ events: 5, seal: true })]);
    await expect.poll(() => connection.all("SELECT 1 FROM tail WHERE session = 2")).toEqual([]);
    expect((await store.readEvents("b", 0, 100)).events).toEqual(good.events);
    expect((await store.readEvents("a", 0, 100)).events).toEqual(bad.events);
  });

  it("leaves a damaged small block as it is and packs what follows", async () => {
    const sample = a();
    await store.append([sample.batch({ events: 5, seal: true })]);
    await expect.poll(() => rows("tail")).toBe(0);
    connection.exec("UPDATE block SET data = zeroblob(40)");
    await store.append([sample.batch({ events: 5, seal: true })]);
    await expect.poll(() => rows("tail")).toBe(0);
    expect(rows("block")).toBe(2);
    expect((await store.readEvents("a", 5, 100)).events).toEqual(sample.events.slice(5));
    await expect(store.readEvents("a", 0, 100)).rejects.toMatchObject({ code: "session_damaged" });
  });
});

describe("the health of a store", () => {
  it.each([
    ["removed", (path: string) => rmSync(path)],
    ["cut short", (path: string) => truncateSync(path, 4096)],
  ])("says that its file was %s", async (what, harm) => {
    await store.append([a().batch({ events: 5 })]);
    expect(store.health()).toEqual({ problem: undefined, damagedSessions: [] });
    harm(join(directory, "interlingua.db"));
    expect(store.health().problem).toContain(`interlingua.db was ${what} while it was open`);
    expect(damaged).toEqual([undefined]);
  });
});

describe("a clock before 1970", () => {
  it("makes no raw record or page of the list unreadable, and the check does not complain", async () => {
    const samples = [a(), b()];
    const batches = samples.map((sample) => {
      const batch = sample.batch({ events: 2, raws: 2, row: { createdAt: -5000, updatedAt: -4000 } });
      return { ...batch, raws: batch.raws.map((raw) => ({ ...raw, at: -3 })) };
    });
    await store.append(batches);
    expect((await store.readRaws("a", 0, 10)).raws).toEqual(batches[0]!.raws);
    const { sessions, cursor } = await store.listSessions({ limit: 1 });
    expect([...sessions, ...(await store.listSessions({ limit: 1, cursor })).sessions]).toHaveLength(2);
    expect(await store.check()).toMatchObject({ ok: true, problems: [] });
  });
});

it("a block that only an index knows is session_damaged", async () => {
  await store.append([a().batch({ events: 600, seal: true })]);
  const get = connection.get.bind(connection);
  vi.spyOn(connection, "get").mockImplementation((sql, ...values) =>
    sql.includes("data") ? undefined : (get(sql, ...values) as never),
  );
  await expect(store.readEvents("a", 0, 10)).rejects.toMatchObject({
    code: "session_damaged",
    message: expect.stringContaining("an index names a block that is not there"),
  });
});

describe("a read that fails for a reason that passes", () => {
  const failing = (errcode: number) => {
    const failure = Object.assign(new Error("disk I/O error"), { errcode });
    for (const method of ["get", "all"] as const)
      vi.spyOn(connection, method).mockImplementation(() => {
        throw failure;
      });
  };

  it.each([3082, 3850, 4618, 5130, 5386])("is not taken for damage (SQLite's code %i)", async (errcode) => {
    await store.append([a().batch({ events: 3 })]);
    failing(errcode);
    await expect(store.readEvents("a", 0, 10)).rejects.toMatchObject({ code: "store_busy" });
    expect(store.health().damagedSessions).toEqual([]);
    expect(damaged).toEqual([]);
  });

  it("is no damage to the health of the daemon either", () => {
    const faults = new ReadFaults({ onDamage: (session) => damaged.push(session) }, REMEDIES.file);
    const health = faults.health(() => {
      throw new Error("The store is closed.");
    });
    expect(health.problem).toBe("The database could not be read just now: The store is closed.");
    expect(faults.health(() => {})).toEqual({ problem: undefined, damagedSessions: [] });
    expect(damaged).toEqual([]);
  });
});

describe("usage", () => {
  const day = {
    day: "2026-01-31",
    usage: { input: 2 ** 53 - 2 },
    cost: 1e7,
    turns: 1,
    durationMs: 1,
    waitedMs: 0,
    tools: 1,
    asks: 1,
    allowed: 1,
    denied: 0,
  };

  it("that grows past what Node reads stays at the largest number, and can be read", async () => {
    const session = a();
    await store.append([session.batch({ usage: [day, day] })]);
    await store.append([session.batch({ usage: [day] })]);
    const [row] = (await store.usage({ limit: 10 })).rows;
    expect(row).toMatchObject({ usage: { input: Number.MAX_SAFE_INTEGER }, turns: 3 });
    expect(row?.cost).toBe(Number.MAX_SAFE_INTEGER / 1e9);
    expect(damaged).toEqual([]);
  });

  it("of one session that Node cannot read does not hide that of the others", async () => {
    await store.append([a().batch({ usage: [day] }), b().batch({ usage: [day] })]);
    connection.exec("UPDATE usage_day SET tools = 9007199254740993 WHERE id = 1");
    expect((await store.usage({ limit: 10 })).rows.map(({ session }) => session)).toEqual(["b"]);
    expect(damaged).toEqual(["a"]);
  });
});

it("a search leaves out a message without its words although a damaged index has them", async () => {
  const texts = ["zebra", "okapi"].map((text, n) => ({ message: `m${n}`, at: n, text }));
  const messages = texts.map(({ message }, n) => sampleMessage(message, { position: n + 1 }));
  await store.append([a().batch({ events: 3, messages, texts })]);
  await store.close();
  open();
  connection.exec("INSERT INTO message_search (rowid, text) VALUES (99, 'zebra')");
  connection.exec("INSERT OR REPLACE INTO message_search (rowid, text) VALUES (2, 'zebra')");
  const { hits } = await store.searchMessages({ words: "zebra", limit: 10 });
  expect(hits.map(({ message }) => message)).toEqual(["m0"]);
});
