/** The questions that are asked all the time must not get slower as the database grows. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListQuery } from "../../core/store.ts";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { SELECT_OPEN } from "./asks.ts";
import { auditStatement } from "./audit.ts";
import type { Connection } from "./connection.ts";
import { listStatement, SELECT_UNFINISHED } from "./list-sessions.ts";
import { SELECT_HISTORY } from "./messages.ts";
import { openDatabase } from "./open-database.ts";
import { SELECT_SNAPSHOT } from "./snapshot.ts";
import { SELECT_BLOCK, SELECT_TAIL } from "./sqlite-log.ts";
import { SELECT_SESSION } from "./sqlite-reader.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const SESSIONS = 10_000;
const EVENTS = 100_000;

let connection: Connection;
let store: SqliteStore;
const long = new SampleSession("long", { updatedAt: 1 });
const rows = new Map<string, number>();

beforeAll(async () => {
  const onRows = (table: string, count: number) => rows.set(table, (rows.get(table) ?? 0) + count);
  const directory = temporaryDirectory();
  const open = () => {
    connection = openDatabase(directory, { onRows });
    store = new SqliteStore(connection);
  };
  open();
  const samples = Array.from({ length: SESSIONS }, (_, n) => {
    const status = n % 100 === 0 ? "running" : "idle";
    return new SampleSession(`s${n}`, {
      updatedAt: n,
      status,
      agent: `agent${n % 3}`,
      cwd: `/project${n % 7}`,
      ...(n % 50 === 1 && { pinned: true }),
      ...(n % 50 === 2 && { archived: true }),
    });
  });
  await store.append(samples.map((sample) => sample.batch({ searchText: `word${sample.id}` })));
  for (let n = 0; n < EVENTS / 1000; n += 1) await store.append([long.batch({ events: 1000, raws: 100 })]);
  await store.append([long.batch({ snapshot: { seq: EVENTS, json: "{}" }, seal: true })]);
  // Closing waits until all of it is packed.
  await store.close();
  open();
  for (let n = 0; n < 20; n += 1)
    await store.append([long.batch({ events: 1, messages: [sampleMessage(`m${n}`, { position: n })] })]);
});

afterAll(async () => {
  await store.close();
  removeTemporaryDirectories();
});

function plan(sql: string, values: readonly (string | number)[] = []): string {
  const steps = connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
  return steps.map((step) => step.detail).join("\n");
}

async function rowsOf(action: () => Promise<unknown>): Promise<Record<string, number>> {
  rows.clear();
  await action();
  return Object.fromEntries(rows);
}

describe("query plans", () => {
  it.each<[index: string, Partial<ListQuery>]>([
    ["session_by_update", {}],
    ["session_by_agent", { agent: "agent1" }],
    ["session_by_status", { status: "running" }],
    ["session_by_agent_and_status", { agent: "agent1", status: "idle" }],
    ["session_by_update", { archived: false }],
    ["session_archived", { archived: true }],
    ["session_pinned", { pinned: true, archived: false }],
  ])("lists sessions by %s, in its order", async (index, filter) => {
    const first = await store.listSessions({ limit: 20, ...filter });
    for (const cursor of [undefined, first.cursor]) {
      const { sql, values } = listStatement({ limit: 20, cursor, ...filter });
      const steps = plan(sql, values as string[]);
      expect(steps).toMatch(new RegExp(`^(SCAN|SEARCH) session USING INDEX ${index}( \\(.*)?$`));
      expect(steps).not.toContain("TEMP B-TREE");
      expect(await rowsOf(() => store.listSessions({ limit: 20, cursor, ...filter }))).toEqual({
        session: 21,
      });
    }
  });

  it("lists the sessions of a directory by its index whatever else is wanted of them", async () => {
    const cwd = "/project3";
    const { cursor } = await store.listSessions({ limit: 5, cwd });
    expect(cursor).toBeDefined();
    const filters: Partial<ListQuery>[] = [{}, { cursor }, { agent: "agent1" }, { status: "idle", cursor }];
    for (const filter of filters) {
      const { sql, values } = listStatement({ limit: 20, cwd, ...filter });
      expect(plan(sql, values as string[])).toMatch(/^SEARCH session USING INDEX session_by_cwd /);
    }
  });

  it.each<[string, string, (string | number)[]]>([
    ["unfinished sessions", SELECT_UNFINISHED, []],
    ["open asks", SELECT_OPEN, [1, 1]],
    ["a session", SELECT_SESSION, ["a"]],
    ["its snapshot", SELECT_SNAPSHOT, [1]],
    ["its blocks by event", SELECT_BLOCK.events, [1, 1]],
    ["its blocks by raw record", SELECT_BLOCK.raws, [1, 1]],
    ["its tail", SELECT_TAIL.events, [1, 1]],
    ["its tail's raw records", SELECT_TAIL.raws, [1, 1]],
    ["its history", SELECT_HISTORY, [1, 1, 1]],
  ])("finds %s by an index, in its order", (_, sql, values) => {
    const steps = plan(sql, values);
    expect(steps).not.toMatch(/^SCAN (?!.*USING (COVERING )?INDEX)/m);
    expect(steps).not.toContain("TEMP B-TREE");
  });

  it("reads the audit log in its order, that of a session by its index", () => {
    const steps = (query: object) => {
      const { sql, values } = auditStatement({ limit: 10, ...query });
      return plan(sql, values);
    };
    for (const query of [{}, { before: 5 }, { session: "a" }, { session: "a", before: 5 }, { by: "anna" }])
      expect(steps(query)).not.toContain("TEMP B-TREE");
    expect(steps({ session: "a", before: 5 })).toMatch(/^SEARCH audit USING INDEX audit_by_session /);
  });
});

describe("rows read", () => {
  it("opens a session of 100,000 events by its row, its snapshot and what came after", async () => {
    const read = await rowsOf(async () => {
      const state = await store.loadState("long");
      const page = await store.readEvents("long", state!.snapshot!.seq, 1000);
      expect(page.events).toHaveLength(20);
    });
    expect(read).toEqual({ session: 2, snapshot: 1, tail: 20 });
  });

  it("reads a page in the middle from one or two blocks", async () => {
    const read = await rowsOf(() => store.readEvents("long", EVENTS / 2 + 10, 100));
    expect(read.block).toBeLessThanOrEqual(4);
    expect(read.tail).toBeUndefined();
    // The second reader of the same span finds it unpacked.
    const again = await rowsOf(() => store.readEvents("long", EVENTS / 2 + 10, 100));
    expect(again.block).toBeLessThan(read.block as number);
  });

  it("reads a page of raw records in the middle from one or two blocks", async () => {
    const read = await rowsOf(() => store.readRaws("long", 5000, 20));
    expect(read.block).toBeLessThanOrEqual(4);
    expect(read.tail).toBeUndefined();
  });

  it("reads only the rows of the tail that a page needs", async () => {
    const read = await rowsOf(() => store.readEvents("long", EVENTS + 5, 3));
    expect(read).toEqual({ session: 1, tail: 3 });
  });
});
