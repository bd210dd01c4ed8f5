import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import type { Store } from "../../core/store.ts";
import { until } from "../../testkit/until.ts";
import { openStore, openStoreReadOnly } from "../open-store.ts";
import { restoreBackup } from "../restore.ts";
import { Connection } from "./connection.ts";
import { createTables, migrate } from "./migrate.ts";
import { BASE_FORMAT, OLDEST_FORMAT, STEPS, type Step } from "./steps.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";
import { SCHEMA_VERSION } from "./version.ts";

/** Written by the version that wrote the oldest format. */
const OLDEST = new URL("../fixtures/format-13/interlingua.db", import.meta.url).pathname;

/** Made by the steps from format 1 to the one that schema.ts makes. */
const BASE = new URL("../fixtures/format-15/interlingua.db", import.meta.url).pathname;

const TO_BASE = STEPS.slice(0, BASE_FORMAT - OLDEST_FORMAT);

afterEach(removeTemporaryDirectories);

function copyOf(fixture: string): string {
  const directory = temporaryDirectory();
  copyFileSync(fixture, join(directory, "interlingua.db"));
  return directory;
}

/** The path of a new database, closed. */
function freshDatabase(steps?: readonly Step[]): string {
  const path = join(temporaryDirectory(), "interlingua.db");
  const connection = new Connection(path);
  createTables(connection, steps);
  connection.exec("PRAGMA journal_mode = WAL");
  connection.close();
  return path;
}

function query<Row>(path: string, sql: string): Row[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all() as Row[];
  } finally {
    database.close();
  }
}

/** All that SQLite knows of the tables: as they were written, as they are, and the settings of the file. */
function tablesOf(path: string): object {
  const schema = query<{ sql: string | null }>(
    path,
    "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
  );
  return {
    schema: schema.map((entry) => ({ ...entry, sql: entry.sql?.replaceAll(/\s/g, "") })),
    columns: query<object>(
      path,
      `SELECT t.name AS "table", c.* FROM sqlite_schema t, pragma_table_xinfo(t.name) c
        WHERE t.type = 'table' ORDER BY t.name, c.cid`,
    ),
    indexes: query<object>(
      path,
      `SELECT t.name AS "table", i.name, i."unique", i.origin, i.partial, c.seqno, c.name AS "column", c."desc", c.coll
        FROM sqlite_schema t, pragma_index_list(t.name) i, pragma_index_xinfo(i.name) c
        WHERE t.type = 'table' ORDER BY t.name, i.name, c.seqno`,
    ),
    settings: ["user_version", "application_id", "encoding", "page_size", "auto_vacuum", "journal_mode"].map(
      (setting) => query<object>(path, `PRAGMA ${setting}`),
    ),
  };
}

describe("a database of the oldest format", () => {
  async function found(store: Store, words: string): Promise<string[]> {
    const { hits } = await store.searchMessages({ words, limit: 10 });
    return hits.map(({ session, message }) => `${session.id} ${message}`);
  }

  it("has the tables, columns, indexes and settings of a new one when it was opened, and a copy beside it", async () => {
    const directory = copyOf(OLDEST);
    const path = join(directory, "interlingua.db");
    const before = tablesOf(path);
    await (await openStore({ directory })).close();
    expect(tablesOf(path)).toEqual(tablesOf(freshDatabase()));
    const copy = `${path}.format-${OLDEST_FORMAT}.bak`;
    // The copy is one file, without SQLite's log.
    query(copy, "PRAGMA journal_mode = WAL");
    expect(tablesOf(copy)).toEqual(before);
    expect(readdirSync(directory).sort()).toEqual(["interlingua.db", "interlingua.db.format-13.bak"]);
  });

  it("is read as it was written", async () => {
    const store = await openStore({ directory: copyOf(OLDEST) });
    expect(await store.check()).toEqual({ ok: true, sessions: 3, events: 28, problems: [] });
    const { sessions } = await store.listSessions({ limit: 10 });
    expect(sessions).toMatchObject([
      { id: "old", archived: true, cutOffAt: 5, forkedFrom: { session: "silent", message: "m1" }, head: 20 },
      { id: "silent", pinned: true, head: 1 },
      { id: "asked", title: "A visit", status: "waiting", openAsks: 1, cost: 0.25, head: 7 },
    ]);
    expect((await store.listSessions({ limit: 10, search: "visit" })).sessions).toHaveLength(1);
    expect((await store.readEvents("asked", 0, 100)).events).toHaveLength(7);
    expect((await store.readRaws("asked", 0, 100)).raws).toHaveLength(2);
    const { messages } = await store.listMessages("asked", { limit: 10 });
    expect(messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      "m1 user",
      "m2 assistant",
      "m3 assistant",
    ]);
    expect((await store.getMessage("asked", "m2"))?.record?.events).toHaveLength(5);
    expect((await store.openAsks({ session: "asked" })).asks).toMatchObject([{ ask: "plan", kind: "plan" }]);
    expect(await store.getAsk("asked", "q")).toMatchObject({ state: "answered", outcome: "answered" });
    expect(await store.getAsk("asked", "p")).toMatchObject({ state: "closed", outcome: "cancelled" });
    const state = await store.loadState("asked");
    expect(state?.snapshot).toEqual({ seq: 7, json: '{"head":7}' });
    expect(state?.preparing).toBeUndefined();
    expect((await store.listTokens()).map(({ id }) => id)).toEqual(["friend", "guest"]);
    expect(await store.listInvitations()).toMatchObject([{ id: "invited", token: "guest" }]);
    expect((await store.readAudit({ limit: 10 })).entries.map(({ by }) => by)).toEqual(["guest", "owner"]);
    await store.close();
  });

  it("gets its questions, answers and plans into the search, but no permissions", async () => {
    const store = await openStore({ directory: copyOf(OLDEST), backlogPauseMs: 0 });
    await until(async () => !(await store.searchMessages({ words: "zebra", limit: 1 })).isIncomplete);
    expect(await found(store, "okapi striped")).toEqual(["asked m2"]);
    expect(await found(store, "tapir")).toEqual(["asked m3"]);
    expect(await found(store, "gnu")).toEqual([]);
    expect(await found(store, "zebra")).toEqual(["asked m3", "asked m1"]);
    expect(await found(store, "thing")).toEqual(["silent m1", "asked m2"]);
    expect((await store.check()).problems).toEqual([]);
    await store.close();
  });

  it("is not changed for reading, and can be restored as a backup", async () => {
    const [directory, restored] = [copyOf(OLDEST), temporaryDirectory()];
    const path = join(directory, "interlingua.db");
    const before = readFileSync(path);
    await expect(openStoreReadOnly(directory)).rejects.toThrow(
      "Start the daemon once to bring it up to date.",
    );
    await restoreBackup({ directory: restored, file: path, replace: false });
    expect(readFileSync(path).equals(before)).toBe(true);
    const store = await openStore({ directory: restored });
    expect(await store.check()).toEqual({ ok: true, sessions: 3, events: 28, problems: [] });
    await store.close();
  });
});

describe("a database of the format that schema.ts makes", () => {
  it("has the tables, columns, indexes and settings that a new one has", () => {
    expect(query(BASE, "PRAGMA user_version")).toEqual([{ user_version: BASE_FORMAT }]);
    const fresh = freshDatabase(TO_BASE);
    expect(tablesOf(fresh)).toEqual(tablesOf(join(copyOf(BASE), "interlingua.db")));
  });

  it("is read as it was written", async () => {
    const store = await openStore({ directory: copyOf(BASE), sealDelayMs: 3_600_000 });
    expect(await store.check()).toEqual({ ok: true, sessions: 2, events: 26, problems: [] });
    const { sessions } = await store.listSessions({ limit: 10 });
    expect(sessions).toMatchObject([
      { id: "tail", archived: true, head: 2 },
      { id: "sealed", title: "First steps", pinned: true, cost: 0.25, head: 24 },
    ]);
    expect((await store.listSessions({ limit: 10, search: "steps" })).sessions).toHaveLength(1);
    expect((await store.readEvents("sealed", 0, 100)).events).toHaveLength(24);
    expect((await store.readRaws("sealed", 0, 100)).raws[2]).toMatchObject({ data: "x".repeat(100_000) });
    expect((await store.getMessage("sealed", "m1"))?.record).toMatchObject({ id: "m1", role: "user" });
    expect((await store.openAsks({ session: "sealed" })).asks).toHaveLength(1);
    expect((await store.usage({ limit: 10 })).rows).toMatchObject([
      { session: "sealed", model: "mock-large", cost: 0.25, allowed: 1, waitedMs: 2 },
    ]);
    expect((await store.loadState("sealed"))?.snapshot).toEqual({ seq: 21, json: '{"head":21}' });
    expect(await store.findKey("unified", "key of sealed")).toEqual({ session: "sealed", seq: 1 });
    expect((await store.searchMessages({ words: "zebra", limit: 10 })).hits).toMatchObject([
      { message: "m1" },
    ]);
    const memory: string[] = [];
    for await (const { data } of store.readMemory("sealed")) memory.push(String(data));
    expect(memory).toEqual(["what was said"]);
    expect(await store.listTokens()).toMatchObject([{ id: "guest", sessions: ["sealed"] }]);
    expect(await store.listInvitations()).toMatchObject([{ id: "invited", token: "guest" }]);
    expect((await store.readAudit({ limit: 10 })).entries.map(({ by }) => by)).toEqual(["guest", "owner"]);
    await store.close();
  });

  it("is opened as it is, without a copy", async () => {
    const directory = copyOf(BASE);
    const path = join(directory, "interlingua.db");
    const before = tablesOf(path);
    await (await openStoreReadOnly(directory)).close();
    await (await openStore({ directory })).close();
    expect(tablesOf(path)).toEqual(before);
    expect(readdirSync(directory)).toEqual(["interlingua.db"]);
  });
});

describe("a step to a later format", () => {
  const addColor: Step = (connection) => connection.exec("ALTER TABLE session ADD COLUMN color TEXT");
  const addShape: Step = (connection) =>
    connection.exec("ALTER TABLE session ADD COLUMN shape TEXT; UPDATE session SET shape = 'round'");

  function migrateBy(path: string, added: Step[]): void {
    const connection = new Connection(path);
    try {
      migrate(connection, path, { steps: [...TO_BASE, ...added] });
    } finally {
      connection.close();
    }
  }

  it("is taken once, and the database is kept beside the new one", () => {
    const path = join(copyOf(BASE), "interlingua.db");
    migrateBy(path, [addColor]);
    const copy = `${path}.format-${BASE_FORMAT}.bak`;
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(query(copy, "SELECT key, head FROM session ORDER BY id")).toEqual([
      { key: "sealed", head: 24 },
      { key: "tail", head: 2 },
    ]);
    expect(query(copy, "PRAGMA user_version")).toEqual([{ user_version: BASE_FORMAT }]);
    expect(query(path, "PRAGMA user_version")).toEqual([{ user_version: BASE_FORMAT + 1 }]);
    const before = statSync(copy).mtimeMs;
    migrateBy(path, [addColor]);
    expect(statSync(copy).mtimeMs).toBe(before);
    // The next one begins where this one ended.
    migrateBy(path, [addColor, addShape]);
    expect(query(path, "SELECT DISTINCT color, shape FROM session")).toEqual([
      { color: null, shape: "round" },
    ]);
    expect(query(`${path}.format-${BASE_FORMAT + 1}.bak`, "SELECT DISTINCT color FROM session")).toEqual([
      { color: null },
    ]);
  });

  it("is taken by a new database, too, so that it has the same tables", () => {
    const fresh = tablesOf(freshDatabase([...TO_BASE, addColor, addShape]));
    for (const fixture of [OLDEST, BASE]) {
      const migrated = join(copyOf(fixture), "interlingua.db");
      migrateBy(migrated, [addColor, addShape]);
      expect(tablesOf(migrated)).toEqual(fresh);
    }
  });

  it("changes nothing where a later one fails", () => {
    const path = join(copyOf(BASE), "interlingua.db");
    const before = tablesOf(path);
    const fail: Step = () => {
      throw new Error("no space left");
    };
    expect(() => migrateBy(path, [addColor, fail])).toThrow("no space left");
    expect(tablesOf(path)).toEqual(before);
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

  it("is refused when it is older than the oldest format, and left as it is, also as a backup", async () => {
    const directory = copyOf(OLDEST);
    const path = join(directory, "interlingua.db");
    query(path, `PRAGMA user_version = ${OLDEST_FORMAT - 1}`);
    const before = readFileSync(path);
    const sentence = `has format ${OLDEST_FORMAT - 1}, and the oldest format that this version of Interlingua reads is ${OLDEST_FORMAT}. Export its sessions with the version that wrote it, or start with a new directory: --data.`;
    await expect(openStore({ directory })).rejects.toThrow(`${path} ${sentence}`);
    await expect(openStoreReadOnly(directory)).rejects.toThrow(`${path} ${sentence}`);
    const restored = temporaryDirectory();
    await expect(restoreBackup({ directory: restored, file: path, replace: false })).rejects.toThrow(
      `${path} ${sentence}`,
    );
    expect(readdirSync(restored)).not.toContain("interlingua.db");
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(directory).filter((name) => name.endsWith(".bak"))).toEqual([]);
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
