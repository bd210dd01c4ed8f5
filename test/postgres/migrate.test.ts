/** The tables of PostgreSQL: as a new database has them, as older versions made them, and after steps. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleEntry } from "../../src/store/contract/people-contract.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { BASE_VERSION, migrate, OLDEST_VERSION, STEPS, type Step } from "../../src/store/postgres/migrate.ts";
import { openPostgres, openPostgresReadOnly } from "../../src/store/postgres/open-postgres.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

/** Written by the version that wrote the oldest tables that can be read. */
const OLDEST = new URL("../../src/store/fixtures/postgres-9/interlingua.sql", import.meta.url).pathname;

/** Made by the steps from version 1 to the one that schema.ts makes. */
const BASE = new URL("../../src/store/fixtures/postgres-12/interlingua.sql", import.meta.url).pathname;

const TO_BASE = STEPS.slice(0, BASE_VERSION - OLDEST_VERSION);

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

async function databaseOf(fixture: string): Promise<string> {
  const url = await postgres.createDatabase();
  await query(url, readFileSync(fixture, "utf8"));
  return url;
}

async function migrateBy(url: string, added: Step[]): Promise<void> {
  const connection = await PostgresConnection.open({ url });
  try {
    await migrate(connection, [...TO_BASE, ...added]);
  } finally {
    await connection.close();
  }
}

function query<Row = object>(url: string, sql: string): Promise<Row[]> {
  return postgres.query<Row>(sql, new URL(url).pathname.slice(1));
}

const OURS = "n.nspname = 'interlingua'";
const CATALOG: Readonly<Record<string, string>> = {
  relations: `SELECT relname, relkind, reloptions FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE ${OURS} ORDER BY relname`,
  columns: `SELECT relname, attnum, attname, format_type(atttypid, atttypmod) AS type, attnotnull, attidentity, attstorage,
      collname, pg_get_expr(adbin, adrelid) AS value
    FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
      LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum LEFT JOIN pg_collation l ON l.oid = attcollation
    WHERE ${OURS} AND attnum > 0 ORDER BY relname, attnum`,
  indexes: "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'interlingua' ORDER BY indexname",
  constraints: `SELECT conname, contype, pg_get_constraintdef(c.oid) AS is FROM pg_constraint c
    JOIN pg_namespace n ON n.oid = connamespace WHERE ${OURS} ORDER BY conname`,
  sequences: `SELECT sequencename, start_value, min_value, max_value, increment_by, cycle, cache_size,
      pg_describe_object(refclassid, refobjid, refobjsubid) AS owner
    FROM pg_sequences JOIN pg_depend ON objid = ('interlingua.' || sequencename)::regclass AND deptype IN ('a', 'i')
    WHERE schemaname = 'interlingua' ORDER BY sequencename`,
  triggers:
    "SELECT tgname, pg_get_triggerdef(oid) AS is FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname",
  functions: `SELECT proname, pg_get_functiondef(p.oid) AS is FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
    WHERE ${OURS} ORDER BY proname`,
  versions: "SELECT version, oldest_program FROM interlingua.migration ORDER BY version",
  counters: "SELECT name FROM interlingua.counter ORDER BY name",
  audit: "SELECT value FROM interlingua.counter WHERE name = 'audit'",
};

/** All that PostgreSQL knows of our tables, and the rows that are in them from the start. */
async function tablesOf(url: string): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const [name, sql] of Object.entries(CATALOG)) found[name] = await query(url, sql);
  return found;
}

describe("a database of the oldest version", () => {
  it("has the tables, columns, indexes, triggers and versions of a new one when it was opened", async () => {
    const [url, fresh] = [await databaseOf(OLDEST), await postgres.createDatabase()];
    for (const opened of [url, fresh]) await (await openPostgres({ url: opened })).close();
    expect(await tablesOf(url)).toEqual(await tablesOf(fresh));
  });

  it("is read as it was written", async () => {
    const url = await databaseOf(OLDEST);
    const store = await openPostgres({ url });
    expect(await store.check()).toMatchObject({ ok: true, sessions: 3, events: 28, problems: [] });
    expect((await store.listSessions({ limit: 10 })).sessions).toMatchObject([
      { id: "old", archived: true, cutOffAt: 5, forkedFrom: { session: "silent", message: "m1" }, head: 20 },
      { id: "silent", pinned: true, head: 1 },
      { id: "asked", title: "A visit", status: "waiting", openAsks: 1, cost: 0.25, head: 7 },
    ]);
    expect((await store.listSessions({ limit: 10, search: "visit" })).sessions).toHaveLength(1);
    expect((await store.readEvents("asked", 0, 100)).events).toHaveLength(7);
    const { messages } = await store.listMessages("asked", { limit: 10 });
    expect(messages.map(({ id, role }) => `${id} ${role}`)).toEqual([
      "m1 user",
      "m2 assistant",
      "m3 assistant",
    ]);
    expect((await store.openAsks({ session: "asked" })).asks).toMatchObject([{ ask: "plan", kind: "plan" }]);
    expect(await store.getAsk("asked", "q")).toMatchObject({ state: "answered", outcome: "answered" });
    const { hits } = await store.searchMessages({ words: "zebra", limit: 10 });
    expect(hits.map(({ message }) => message)).toEqual(["m3", "m1"]);
    expect((await store.loadState("asked"))?.preparing).toBeUndefined();
    expect((await store.listTokens()).map(({ id }) => id)).toEqual(["friend", "guest"]);
    expect(await store.listInvitations()).toMatchObject([{ id: "invited", token: "guest" }]);
    await store.close();
  });

  it("is not changed for reading", async () => {
    const url = await databaseOf(OLDEST);
    const before = await tablesOf(url);
    await expect(openPostgresReadOnly({ url })).rejects.toThrow(
      "Start the daemon once to bring it up to date.",
    );
    expect(await tablesOf(url)).toEqual(before);
  });

  it("goes on with the numbers of its audit log, also while programs of that version run", async () => {
    const url = await databaseOf(OLDEST);
    const earlier = await PostgresConnection.open({ url });
    const write = async (by: string) => {
      const entries = [1, 2].map((n) => ({
        n,
        at: 1,
        actor: by,
        dialect: "v1",
        action: "a",
        outcome: "done",
      }));
      await earlier.query(EARLIER_APPEND, [JSON.stringify(entries), entries.length]);
    };
    await write("earlier");
    const store = await openPostgres({ url, isShared: true });
    await write("beside");
    await store.appendAudit([sampleEntry({ by: "now" })]);
    await write("beside");
    const { entries } = await store.readAudit({ limit: 10 });
    expect(entries.map(({ seq, by }) => `${seq} ${by}`)).toEqual([
      ...["9 beside", "8 beside", "7 now", "6 beside", "5 beside"],
      ...["4 earlier", "3 earlier", "2 guest", "1 owner"],
    ]);
    await store.close();
    await earlier.close();
  });
});

/** As programs of version 9 append to the audit log. */
const EARLIER_COLUMNS = "at, actor, token, role, dialect, action, session, outcome, code, detail";
const EARLIER_APPEND = `WITH last AS (UPDATE counter SET value = value + $2 WHERE name = 'audit' RETURNING value),
  old AS (DELETE FROM audit WHERE seq <= (SELECT value FROM last) - 100000)
  INSERT INTO audit (seq, ${EARLIER_COLUMNS}) SELECT last.value - $2 + p.n, ${EARLIER_COLUMNS}
    FROM last, jsonb_to_recordset($1::jsonb) AS p(n int, at bigint, actor text, token text, role text, dialect text,
      action text, session text, outcome text, code text, detail text)
    WHERE last.value - $2 + p.n > last.value - 100000`;

describe("a database of the version that schema.ts makes", () => {
  it("has the tables, columns, indexes, triggers and versions that a new one has", async () => {
    const fresh = await postgres.createDatabase();
    await migrateBy(fresh, []);
    const tables = await tablesOf(fresh);
    expect(tables).toEqual(await tablesOf(await databaseOf(BASE)));
    expect(Object.entries(tables).filter(([, rows]) => rows.length === 0)).toEqual([]);
    expect(tables.versions!.at(-1)).toEqual({ version: BASE_VERSION, oldest_program: 1 });
  });

  it("is read as it was written, and stays as it is", async () => {
    const url = await databaseOf(BASE);
    const before = await tablesOf(url);
    const store = await openPostgres({ url, sealDelayMs: 3_600_000 });
    expect(await store.check()).toMatchObject({ ok: true, sessions: 2, events: 26, problems: [] });
    expect((await store.listSessions({ limit: 10 })).sessions).toMatchObject([
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
    expect(await tablesOf(url)).toEqual(before);
  });
});

describe("a step to a later version", () => {
  const addColor: Step = { oldestProgram: 1, sql: "ALTER TABLE session ADD COLUMN color text" };
  const addShape: Step = { oldestProgram: 13, sql: "ALTER TABLE session ADD COLUMN shape text" };

  it("is taken once, also by a new database, so that it has the same tables", async () => {
    const [migrated, oldest] = [await databaseOf(BASE), await databaseOf(OLDEST)];
    const fresh = await postgres.createDatabase();
    for (const steps of [[addColor], [addColor], [addColor, addShape]]) await migrateBy(migrated, steps);
    for (const url of [oldest, fresh]) await migrateBy(url, [addColor, addShape]);
    const tables = await tablesOf(fresh);
    expect(await tablesOf(migrated)).toEqual(tables);
    expect(await tablesOf(oldest)).toEqual(tables);
    expect(tables.versions!.slice(BASE_VERSION)).toEqual([
      { version: BASE_VERSION + 1, oldest_program: 1 },
      { version: BASE_VERSION + 2, oldest_program: 13 },
    ]);
    expect(await query(migrated, "SELECT key, color, shape FROM interlingua.session ORDER BY id")).toEqual([
      { key: "sealed", color: null, shape: null },
      { key: "tail", color: null, shape: null },
    ]);
  });

  it("changes nothing where a later one fails", async () => {
    const url = await databaseOf(BASE);
    const before = await tablesOf(url);
    await expect(
      migrateBy(url, [addColor, { oldestProgram: 1, sql: "SELECT no_such_function()" }]),
    ).rejects.toThrow();
    expect(await tablesOf(url)).toEqual(before);
  });
});

it("a database that is older than the oldest version is refused, and stays as it is", async () => {
  const url = await databaseOf(OLDEST);
  await query(url, `DELETE FROM interlingua.migration WHERE version = ${OLDEST_VERSION}`);
  const before = await tablesOf(url);
  const sentence = `has version ${OLDEST_VERSION - 1} of the tables, and the oldest that this version of Interlingua reads is ${OLDEST_VERSION}. Export its sessions with the version that wrote it, or name another database.`;
  await expect(openPostgres({ url })).rejects.toThrow(sentence);
  await expect(openPostgresReadOnly({ url })).rejects.toThrow(sentence);
  expect(await tablesOf(url)).toEqual(before);
});
