/** `interlingua db copy` from a data directory into PostgreSQL and back: every row is compared. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run, serve, start, stop } from "../../src/cli/test-support.ts";
import { cutMemory, MEMORY_PIECE_BYTES } from "../../src/core/memory-piece.ts";
import { MESSAGE_FOLD_VERSION } from "../../src/core/message-record.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../../src/store/contract/people-contract.ts";
import { SampleSession, sampleMessage } from "../../src/store/contract/sample-session.ts";
import { copyBetween } from "../../src/store/copy-between.ts";
import type { CopySource } from "../../src/store/copy-source.ts";
import { openStore } from "../../src/store/open-store.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { openPostgresCopySource } from "../../src/store/postgres/open-postgres-copy.ts";
import { openDatabaseReadOnly } from "../../src/store/sqlite/open-database.ts";
import { SqliteCopySource } from "../../src/store/sqlite/sqlite-copy-source.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { startPostgres, type TestPostgres } from "../postgres/start-postgres.ts";

let postgres: TestPostgres;
let directory: string;
/** The data directory that is copied. */
let data: string;

const HOSTILE = ["\u0000nul", "\ud800 half", "\uf8f0mark", "'; DROP TABLE session; --", "\\u0000", "👩‍👩‍👧"];

beforeAll(async () => {
  postgres = await startPostgres({ asksForPassword: true });
  directory = mkdtempSync(join(tmpdir(), "il-copy-"));
  data = join(directory, "data");
  await fillByDaemon();
  await fillByHand();
});

afterAll(async () => {
  rmSync(directory, { recursive: true, force: true });
  await postgres[Symbol.asyncDispose]();
});

/** Sessions as a daemon makes them: logs, records, asks, usage, keys, texts, an audit log. */
async function fillByDaemon(): Promise<void> {
  const daemon = await serve(["--data", data], { cwd: directory });
  const client = new DaemonClient(daemon);
  for (const id of ["one", "two"])
    await client.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
  for (const [session, text] of [
    ["one", "scenario:rich the zebra"],
    ["two", "scenario:approve a giraffe"],
    ["one", "scenario:huge again"],
  ] as const) {
    await client.prompt(session, text);
    await eventually("it waits or is done", async () =>
      ["idle", "waiting"].includes(
        (await client.call<{ status: string }>("GET", `/v1/sessions/${session}`)).status,
      ),
    );
  }
  await client.call("POST", "/v1/tokens", { name: "anna", role: "observer" });
  expect((await stop(daemon)).code).toBe(0);
}

/** What a daemon does not make in a moment. */
async function fillByHand(): Promise<void> {
  const store = await openStore({ directory: data });
  const [a, b] = [
    new SampleSession("a", { metadata: { text: HOSTILE }, title: HOSTILE[0] }),
    new SampleSession("b", { cost: 0.3, pinned: true, model: HOSTILE[1] }),
  ];
  const record = { id: "m1", role: "assistant" as const, at: 5, text: "ä".repeat(20_000) };
  await store.append([
    a.batch({
      events: [...HOSTILE, "x".repeat(400_000)],
      raws: [...HOSTILE, "y".repeat(200_000), { event: "exit", code: 1 }],
      messages: [
        sampleMessage("m1", { position: 1, record, foldVersion: MESSAGE_FOLD_VERSION }),
        sampleMessage("m2", { state: "withdrawn", request: HOSTILE[0] }),
        sampleMessage("m3", { position: 3, lastSeq: 3, rewoundAt: 4, turn: HOSTILE[2] }),
        sampleMessage("m4", {
          position: 4,
          record: { ...record, id: "m4" },
          foldVersion: MESSAGE_FOLD_VERSION - 1,
        }),
      ],
      texts: [{ message: "m1", at: 7, text: "okapi said\u0000so" }],
      asks: [
        {
          ask: "1",
          kind: "question",
          state: "open",
          openedSeq: 2,
          openedAt: 9,
          opened: JSON.stringify({ text: HOSTILE }),
        },
        {
          ask: "2",
          kind: "plan",
          state: "closed",
          openedSeq: 3,
          openedAt: 8,
          opened: "{}",
          answered: "{}",
          outcome: "expired",
        },
      ],
      usage: [
        {
          day: "2026-01-31",
          model: "m",
          usage: { input: 3 },
          cost: 0.1,
          turns: 1,
          durationMs: 0.5,
          waitedMs: 0.25,
          tools: 2,
          asks: 1,
          allowed: 1,
          denied: 0,
        },
      ],
      keys: [{ dialect: "x", key: "shared", seq: 1 }],
      snapshot: { seq: 2, json: JSON.stringify({ text: HOSTILE }) },
      memory: [
        ...cutMemory("projects/ä.jsonl", 4, Buffer.alloc(MEMORY_PIECE_BYTES + 5, "ä")),
        { part: "nul\u0000", seq: 1, data: Buffer.from([0, 255, 128]) },
      ],
    }),
  ]);
  // Later than those of the other: order between sessions counts.
  await store.append([
    b.batch({
      events: 2,
      messages: [sampleMessage("m1", { position: 1 })],
      texts: [{ message: "m1", at: 8, text: "okapi too" }],
      keys: [{ dialect: "x", key: "shared", seq: 2 }],
    }),
  ]);
  await store.append([
    a.batch({
      events: 1,
      messages: [sampleMessage("m5", { position: 5 })],
      texts: [{ message: "m5", at: 9, text: "okapi last" }],
    }),
  ]);
  for (const id of ["c", "d"]) await store.append([new SampleSession(id).batch({ events: 1500 })]);
  await store.deleteSession("c");
  await store.addInvitation(sampleInvitation("i", { session: "a" }));
  await store.redeemInvitation("i", sampleToken("k", { invitation: "i", sessions: ["a"], name: HOSTILE[5] }));
  await store.addInvitation(sampleInvitation("open", { session: "b", name: "Zoë" }));
  await store.appendAudit(HOSTILE.map((detail) => sampleEntry({ detail, session: "a", by: "anna (phone)" })));
  await store.close();
}

/** Everything there is, as it can be compared. */
async function dump(source: CopySource): Promise<unknown> {
  const all = async <Item extends { number: number }>(
    read: (after: number, limit: number) => Promise<Item[]>,
  ) => {
    const items: Omit<Item, "number">[] = [];
    for (let after = 0; ; ) {
      const page = await read(after, 3);
      if (page.length === 0) return items;
      for (const { number, ...item } of page) {
        items.push(item);
        after = number;
      }
    }
  };
  const sessions = [];
  for (const { id } of await all((after, limit) => source.sessionsAfter(after, limit)))
    sessions.push({
      state: await source.loadState(id),
      events: await source.readEvents(id, 0, 100_000),
      raws: await source.readRaws(id, 0, 100_000),
      asks: await source.allAsks(id),
      memory: await memoryOf(source, id),
      history: await source.listMessages(id, { limit: 1000 }),
    });
  const found = [];
  for (const words of ["zebra", "giraffe", "okapi", "so", "nothing"]) {
    found.push((await source.searchMessages({ words, limit: 100 })).hits);
    found.push((await source.listSessions({ search: words, limit: 100 })).sessions);
  }
  return {
    sessions,
    found,
    listed: (await source.listSessions({ limit: 100 })).sessions,
    messages: await all((after, limit) => source.messagesAfter(after, limit)),
    keys: await all((after, limit) => source.keysAfter(after, limit)),
    shared: await source.findKey("x", "shared"),
    usage: (await source.usage({ limit: 1000 })).rows,
    asks: (await source.openAsks()).asks,
    tokens: await source.listTokens(),
    invitations: await source.listInvitations(),
    audit: (await source.readAudit({ limit: 1000 })).entries,
    check: await source.check(),
  };
}

async function memoryOf(source: CopySource, session: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const { part, seq, data } of source.readMemory(session))
    pieces.push(`${part} ${seq} ${createHash("sha256").update(data).digest("hex")}`);
  return pieces;
}

async function dumpOf(open: () => CopySource | Promise<CopySource>): Promise<unknown> {
  const source = await open();
  try {
    return await dump(source);
  } finally {
    await source.close();
  }
}

const ofDirectory = (path: string) => dumpOf(() => new SqliteCopySource(openDatabaseReadOnly(path)));
const ofDatabase = (url: string) => dumpOf(() => openPostgresCopySource({ url }));

function withoutPassword(url: string): string {
  return url.replace(`:${postgres.password}@`, "@");
}

describe("db copy", () => {
  it("into PostgreSQL and back loses and changes nothing", async () => {
    const url = await postgres.createDatabase();
    const environment = { INTERLINGUA_STORE: url };
    const there = await run(["db", "copy", data, withoutPassword(url)], { environment });
    expect(there.stderr).not.toContain(postgres.password);
    expect(there).toMatchObject({ code: 0 });
    expect(there.stdout).toContain("is whole (sessions: 5,");
    const original = await ofDirectory(data);
    expect(await ofDatabase(url)).toEqual(original);

    const back = join(directory, "back");
    expect(await run(["db", "copy", withoutPassword(url), back], { environment })).toMatchObject({ code: 0 });
    expect(readdirSync(back)).not.toContain("copying");
    expect(await ofDirectory(back)).toEqual(original);
    expect(await run(["db", "check", "--data", back])).toMatchObject({ code: 0 });
    expect(await run(["db", "check"], { environment })).toMatchObject({ code: 0 });

    // A daemon goes on with either.
    for (const [path, options] of [
      [back, { cwd: directory }],
      [join(directory, "none"), { cwd: directory, environment }],
    ] as const) {
      const daemon = await serve(["--data", path], options);
      const client = new DaemonClient(daemon);
      await client.prompt("one", "scenario:text once more");
      await eventually(
        "the turn",
        async () => (await client.call<{ status: string }>("GET", "/v1/sessions/one")).status === "idle",
      );
      expect((await stop(daemon)).code).toBe(0);
    }
  });

  it("from one PostgreSQL into another carries which daemon has the files of each session", async () => {
    const [url, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const store = await openPostgres({ url });
    for (const id of ["at home", HOSTILE[0]!, "last had", "of nobody"])
      await store.append([new SampleSession(id).batch({ events: 1 })]);
    await store.close();
    const query = <Row>(sql: string, at: string) => postgres.query<Row>(sql, new URL(at).pathname.slice(1));
    const HOMES = "SELECT home FROM interlingua.log_head ORDER BY session";
    await query("INSERT INTO interlingua.node (daemon) VALUES ('c')", url);
    await query("UPDATE interlingua.log_head SET home = 'a' WHERE session = 1", url);
    await query("UPDATE interlingua.log_head SET home = 'b' WHERE session = 2", url);
    await query("UPDATE interlingua.log_head SET last_owner = 1 WHERE session = 3", url);
    await copyBetween({ from: { url }, to: { url: other } });
    expect(await query(HOMES, other)).toEqual([{ home: "a" }, { home: "b" }, { home: "c" }, { home: null }]);
  });

  it("refuses what is not empty, what is the same, what is not there, and a password", async () => {
    const url = await postgres.createDatabase();
    const environment = { INTERLINGUA_STORE: url };
    const place = withoutPassword(url);
    expect(await run(["db", "copy", data, place], { environment })).toMatchObject({ code: 0 });
    const none = join(directory, "none");
    const listed = await run(["sessions", "--data", none], { environment });
    expect(listed.stderr).toBe(`interlingua: No daemon runs on ${none}; this is what ${place} has.\n`);
    const refused = async (args: readonly string[], code: number, text: string) => {
      const outcome = await run(["db", "copy", ...args], { environment });
      expect(outcome.stderr).toContain(text);
      expect(outcome.stderr).not.toContain(postgres.password);
      expect(outcome.code).toBe(code);
    };
    await refused([data, place], 1, "holds data of Interlingua already");
    await refused([place, data], 1, "exists. Give another directory");
    await refused([place, place], 2, "the same as FROM");
    await refused([data, url], 2, "others can see a password");
    await refused([join(directory, "empty"), place], 1, "There is no data of Interlingua");
    await refused([data, "postgres://nowhere"], 2, "must be the address of a database");
    const daemon = await serve(["--data", join(directory, "other")], { environment, cwd: directory });
    await refused([place, join(directory, "target")], 1, "another daemon works with this database");
    await stop(daemon);
    expect(existsSync(join(directory, "target", "interlingua.db"))).toBe(false);
  });

  it("that was cut short is not taken for a whole one, and begins anew", async () => {
    const url = await postgres.createDatabase();
    const environment = { INTERLINGUA_STORE: url };
    await (await openPostgres({ url })).close();
    // It cannot come to its end.
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE interlingua.audit IN SHARE MODE");
    const copying = start(["db", "copy", data, withoutPassword(url)], { environment });
    await until(async () => (await blocker.query("SELECT 1 FROM interlingua.session")).rowCount === 5);
    copying.child.kill("SIGKILL");
    await copying.ended;
    await blocker.end();
    const daemon = await run(["serve", "--port", "0", "--data", join(directory, "third")], { environment });
    expect(daemon).toMatchObject({ code: 1 });
    expect(daemon.stderr).toContain("was not finished");
    expect(await run(["db", "copy", data, withoutPassword(url)], { environment })).toMatchObject({ code: 0 });
    expect(await ofDatabase(url)).toEqual(await ofDirectory(data));
  });
});
