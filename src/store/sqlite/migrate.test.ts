import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { eventSchema } from "../../core/event.ts";
import { sessionUlid } from "../../core/session-ulid.ts";
import type { Store } from "../../core/store.ts";
import { until } from "../../testkit/until.ts";
import { sampleMessage } from "../contract/sample-session.ts";
import { openStore, openStoreReadOnly } from "../open-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";
import { SCHEMA_VERSION } from "./version.ts";

const FIXTURE = new URL("../fixtures/format-0/interlingua.db", import.meta.url).pathname;
const START = Date.parse("2025-11-03T09:00:00.000Z");

afterEach(removeTemporaryDirectories);

function copyOfFormat0(): string {
  const directory = temporaryDirectory();
  copyFileSync(FIXTURE, join(directory, "interlingua.db"));
  return directory;
}

function query<Row>(path: string, sql: string): Row[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

describe("a database of format 0", () => {
  it("is listed, found and read in today's format", async () => {
    const store = await openStore({ directory: copyOfFormat0() });
    const { sessions } = await store.listSessions({ limit: 10 });
    expect(sessions).toMatchObject([
      { id: "first-steps", title: "First steps", head: 10, rawHead: 4, queued: 1 },
    ]);
    expect((await store.listSessions({ limit: 10, search: "steps" })).sessions).toHaveLength(1);
    expect(await store.unfinishedSessions()).toEqual(["first-steps"]);

    const { events } = await store.readEvents("first-steps", 0, 100);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const parsed = events.map(({ json }) => eventSchema.parse(JSON.parse(json)));
    expect(parsed[6]).toMatchObject({ type: "text.delta", at: START + 7000, delta: "Hello, wörld", raw: 3 });
    expect(events.some(({ json }) => /"(kind|time)":/.test(json))).toBe(false);
    const { raws } = await store.readRaws("first-steps", 0, 100);
    expect(raws.map(({ direction }) => direction)).toEqual(["process", "out", "in", "process"]);
    const { messages } = await store.listMessages("first-steps", { limit: 10 });
    expect(messages.map(({ id }) => id)).toEqual(["m1", "m2"]);
    await store.close();
  });

  it("is appended to, and old and new events are packed apart", async () => {
    const directory = copyOfFormat0();
    const store = await openStore({ directory });
    const row = { ...(await store.getSession("first-steps"))!, head: 11 };
    const json = JSON.stringify({ session: row.id, seq: 11, at: 1, type: "session.closed" });
    await store.append([
      {
        session: row.id,
        events: [{ seq: 11, json }],
        raws: [],
        row,
        messages: [],
        asks: [],
        usage: [],
        seal: true,
      },
    ]);
    expect(await store.check()).toMatchObject({ ok: true, events: 11 });
    await store.close();
    const blocks = query<object>(
      join(directory, "interlingua.db"),
      "SELECT first, last, format FROM block ORDER BY last",
    );
    expect(blocks).toMatchObject([
      { first: 1, last: 10, format: 0 },
      { first: 11, last: 11, format: 1 },
    ]);
    const again = await openStore({ directory });
    const { events } = await again.readEvents("first-steps", 8, 10);
    expect(events.map((event) => JSON.parse(event.json).type)).toEqual([
      "turn.ended",
      "prompt.accepted",
      "session.closed",
    ]);
    expect(events[2]?.json).toBe(json);
    await again.close();
  });

  it("gives its sessions the ULIDs that they would have if they were new", async () => {
    const store = await openStore({ directory: copyOfFormat0() });
    const { id, createdAt } = (await store.getSession("first-steps"))!;
    expect(await store.findKey("agentsmithy", sessionUlid(id, createdAt))).toEqual({
      session: "first-steps",
      seq: 1,
    });
    await store.close();
  });

  it("is kept beside the new one, once", async () => {
    const directory = copyOfFormat0();
    await (await openStore({ directory })).close();
    const copy = join(directory, "interlingua.db.format-0.bak");
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(query(copy, "SELECT key, head FROM session")).toMatchObject([{ key: "first-steps", head: 10 }]);
    expect(query(copy, "PRAGMA user_version")).toMatchObject([{ user_version: 0 }]);
    const before = statSync(copy).mtimeMs;
    await (await openStore({ directory })).close();
    expect(statSync(copy).mtimeMs).toBe(before);
  });

  it("has the same tables as a new one afterwards", async () => {
    const [migrated, fresh] = [copyOfFormat0(), temporaryDirectory()];
    const tables = async (directory: string) => {
      await (await openStore({ directory })).close();
      return query<object>(
        join(directory, "interlingua.db"),
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name",
      );
    };
    expect(await tables(migrated)).toEqual(await tables(fresh));
  });

  it("is not opened for reading only", async () => {
    await expect(openStoreReadOnly(copyOfFormat0())).rejects.toThrow("Start the daemon once");
  });
});

describe("a database of format 1", () => {
  function copyOfFormat1(): string {
    const directory = temporaryDirectory();
    copyFileSync(FIXTURE.replace("format-0", "format-1"), join(directory, "interlingua.db"));
    return directory;
  }

  it("is read as it was, without checksums, and gets them where it is packed or changed", async () => {
    const directory = copyOfFormat1();
    const path = join(directory, "interlingua.db");
    const store = await openStore({ directory, sealDelayMs: 3_600_000 });
    expect(await store.check()).toEqual({ ok: true, sessions: 2, events: 26, problems: [] });
    expect((await store.readEvents("sealed", 0, 100)).events).toHaveLength(24);
    expect((await store.readRaws("sealed", 0, 100)).raws[2]).toMatchObject({ data: "x".repeat(100_000) });
    expect((await store.getMessage("sealed", "m1"))?.record).toMatchObject({ id: "m1", role: "user" });
    expect((await store.openAsks({ session: "sealed" })).asks).toHaveLength(1);
    expect((await store.usage({ limit: 10 })).rows).toMatchObject([{ session: "sealed", cost: 0.25 }]);
    expect((await store.loadState("sealed"))?.snapshot).toEqual({ seq: 21, json: '{"head":21}' });
    expect(query(path, "SELECT checksum FROM block")).toMatchObject([{ checksum: null }]);
    // Closing packs the tail.
    await store.close();
    expect(
      query<{ checksum: unknown }>(path, "SELECT checksum FROM block").every(
        ({ checksum }) => checksum !== null,
      ),
    ).toBe(true);
    const again = await openStore({ directory });
    expect(await again.check()).toEqual({ ok: true, sessions: 2, events: 26, problems: [] });
    await again.close();
  });

  it("is brought up to date although a sum of its usage is larger than Node reads", async () => {
    const directory = copyOfFormat1();
    query(join(directory, "interlingua.db"), "UPDATE usage_day SET input = 9007199254740993");
    const store = await openStore({ directory });
    expect((await store.usage({ limit: 10 })).rows).toMatchObject([
      { usage: { input: Number.MAX_SAFE_INTEGER }, cost: 0.25 },
    ]);
    expect((await store.check()).ok).toBe(true);
    await store.close();
  });

  it("has the same tables as a new one afterwards, and is kept beside it", async () => {
    const [migrated, fresh] = [copyOfFormat1(), temporaryDirectory()];
    for (const directory of [migrated, fresh]) await (await openStore({ directory })).close();
    const tables = (directory: string) =>
      query<object>(
        join(directory, "interlingua.db"),
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name",
      );
    expect(tables(migrated)).toEqual(tables(fresh));
    expect(query(join(migrated, "interlingua.db.format-1.bak"), "PRAGMA user_version")).toMatchObject([
      { user_version: 1 },
    ]);
  });
});

describe("a database of format 7", () => {
  function copyOfFormat7(): string {
    const directory = temporaryDirectory();
    copyFileSync(FIXTURE.replace("format-0", "format-7"), join(directory, "interlingua.db"));
    return directory;
  }

  it("says what its sessions cost, and pins and archives them", async () => {
    const directory = copyOfFormat7();
    const store = await openStore({ directory });
    const { sessions } = await store.listSessions({ limit: 10, archived: false });
    expect(sessions.map(({ id, forkedFrom, cost }) => [id, forkedFrom?.session, cost])).toEqual([
      ["ended", undefined, 0.000126],
      [expect.stringContaining("ses_"), "greetings", undefined],
      ["tasks", undefined, 0.000573],
      ["greetings", undefined, 0.000223],
    ]);
    expect(sessions.some((row) => "pinned" in row || "archived" in row)).toBe(false);
    expect((await store.check()).problems).toEqual([]);

    const row = { ...(await store.getSession("ended"))!, archived: true as const, head: 17 };
    const json = JSON.stringify({
      session: "ended",
      seq: 17,
      at: 1,
      type: "session.updated",
      archived: true,
    });
    const append = { session: "ended", raws: [], row, messages: [], asks: [], usage: [] };
    await store.append([{ ...append, events: [{ seq: 17, json }] }]);
    await store.close();
    const again = await openStore({ directory });
    expect((await again.listSessions({ limit: 10, archived: true })).sessions).toEqual([row]);
    expect((await again.check()).problems).toEqual([]);
    await again.close();
  });

  it("has its usage as it was, of no known model, and counts later usage by model", async () => {
    const store = await openStore({ directory: copyOfFormat7() });
    const before = (await store.usage({ limit: 10 })).rows;
    expect(before).toMatchObject([
      { session: "greetings", directory: "/tmp", turns: 2, cost: 0.000223, allowed: 0, waitedMs: 0 },
      { session: "tasks", turns: 2 },
      { session: "ended", turns: 1 },
    ]);
    expect(before.some((row) => "model" in row)).toBe(false);
    const row = (await store.getSession("tasks"))!;
    const { day } = before[1]!;
    const counts = { turns: 1, durationMs: 1, waitedMs: 1, tools: 0, asks: 1, allowed: 1, denied: 0 };
    const added = { day, model: "mock-large", usage: {}, cost: 1, ...counts };
    const append = { session: "tasks", events: [], raws: [], row, messages: [], asks: [] };
    await store.append([{ ...append, usage: [added, { ...added, model: undefined }] }]);
    expect((await store.usage({ limit: 10, session: "tasks" })).rows).toMatchObject([
      { turns: 3, cost: 1.000573, allowed: 1, waitedMs: 1 },
      { turns: 1, cost: 1, model: "mock-large" },
    ]);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  async function untilSearched(store: Store): Promise<void> {
    await until(async () => !(await store.searchMessages({ words: "zebra", limit: 1 })).isIncomplete);
  }

  const found = async (store: Store, words: string) =>
    (await store.searchMessages({ words, limit: 10 })).hits.map(
      ({ session, role }) => `${session.id} ${role}`,
    );

  it("gets the texts of its messages little by little, also of those that have no record", async () => {
    const directory = copyOfFormat7();
    const store = await openStore({ directory, backlogPauseMs: 0 });
    await untilSearched(store);
    expect(await found(store, "zebra strasse")).toEqual([]);
    expect(await found(store, "zebra straß")).toEqual([
      expect.stringMatching(/^ses_.* assistant$/),
      expect.stringMatching(/^ses_.* user$/),
      "greetings assistant",
      "greetings user",
    ]);
    expect(await found(store, "lemur")).toEqual(["tasks user"]);
    expect(await found(store, "ocelot")).toEqual(["ended assistant", "ended user"]);
    // Its task went on after the turn: no record is stored.
    const { messages } = await store.listMessages("tasks", { limit: 10 });
    const unrecorded = messages.find(({ record }) => !record)!;
    const hits = (await store.searchMessages({ words: "background", limit: 10, session: "tasks" })).hits;
    expect(hits.map(({ message }) => message)).toContain(unrecorded.id);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  it("goes on with them where it was closed, and new ones are found meanwhile", async () => {
    const directory = copyOfFormat7();
    const store = await openStore({ directory, backlogPauseMs: 3_600_000 });
    const row = (await store.getSession("tasks"))!;
    const append = { session: "tasks", events: [], raws: [], asks: [], usage: [], row };
    const message = sampleMessage("new", { position: 1000, role: "assistant" });
    await store.append([
      { ...append, messages: [message], texts: [{ message: "new", at: 7, text: "A new zebra" }] },
    ]);
    expect(await store.searchMessages({ words: "zebra", limit: 10 })).toMatchObject({
      isIncomplete: true,
      hits: [{ message: "new", at: 7, snippet: [{ text: "A new " }, { text: "zebra", match: true }] }],
    });
    await store.deleteSession("ended");
    await store.close();
    const again = await openStore({ directory, backlogPauseMs: 0 });
    await untilSearched(again);
    expect(await found(again, "zebra")).toHaveLength(5);
    expect(await found(again, "ocelot")).toEqual([]);
    await again.close();
  });

  it("skips what is damaged in them", async () => {
    const directory = copyOfFormat7();
    const path = join(directory, "interlingua.db");
    query(path, "UPDATE message SET role = 'system' WHERE id = 'hello'");
    query(path, "UPDATE message SET record = x'00' WHERE id = 'last'");
    const store = await openStore({ directory, backlogPauseMs: 0 });
    await untilSearched(store);
    expect(await found(store, "zebra")).toEqual([
      expect.stringMatching(/^ses_.* assistant$/),
      "greetings assistant",
    ]);
    // Its record is lost, and the log says the same.
    expect(await found(store, "ocelot")).toEqual(["ended assistant", "ended user"]);
    await store.close();
  });

  it("keeps a damaged session as it is, and brings the others up to date", async () => {
    const directory = copyOfFormat7();
    query(join(directory, "interlingua.db"), "UPDATE session SET title = 'other' WHERE key = 'greetings'");
    const store = await openStore({ directory });
    await expect(store.getSession("greetings")).rejects.toMatchObject({ code: "session_damaged" });
    expect((await store.getSession("tasks"))?.cost).toBe(0.000573);
    await store.close();
  });

  it("has the same tables as a new one afterwards, and is kept beside it", async () => {
    const [migrated, fresh] = [copyOfFormat7(), temporaryDirectory()];
    for (const directory of [migrated, fresh]) await (await openStore({ directory })).close();
    const tables = (directory: string) =>
      query<object>(
        join(directory, "interlingua.db"),
        "SELECT type, name, sql FROM sqlite_schema ORDER BY name",
      );
    expect(tables(migrated)).toEqual(tables(fresh));
    expect(query(join(migrated, "interlingua.db.format-7.bak"), "PRAGMA user_version")).toMatchObject([
      { user_version: 7 },
    ]);
  });
});

describe("a database that is not for us", () => {
  it("is refused when a newer version wrote it, and left as it is", async () => {
    const directory = temporaryDirectory();
    await (await openStore({ directory })).close();
    const path = join(directory, "interlingua.db");
    query(path, `PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    const before = readFileSync(path);
    await expect(openStore({ directory })).rejects.toThrow(
      /newer version of Interlingua \(format \d+.*--data/,
    );
    await expect(openStoreReadOnly(directory)).rejects.toThrow("newer version");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("is refused when it belongs to another program", async () => {
    const directory = temporaryDirectory();
    query(join(directory, "interlingua.db"), "CREATE TABLE theirs (x)");
    await expect(openStore({ directory })).rejects.toThrow("not a database of Interlingua");
    const text = join(directory, "text");
    mkdirSync(text);
    writeFileSync(
      join(text, "interlingua.db"),
      "no database at all, but long enough to have a header".repeat(50),
    );
    await expect(openStore({ directory: text })).rejects.toThrow("not a database");
  });
});
