/** What the store on PostgreSQL does with appends under a claim, also when another node has claimed the session since. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Store } from "../../src/core/store.ts";
import { SampleSession, sampleMessage } from "../../src/store/contract/sample-session.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

const MINE = { node: 1, epoch: 0 };

let postgres: TestPostgres;
let url: string;
let store: Store;

beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

beforeEach(async () => {
  await postgres.empty(url);
  store = await openPostgres({ url });
});

afterEach(() => store.close());

/** As another node does it. */
async function claimFor(node: number): Promise<void> {
  await query(`UPDATE interlingua.log_head SET owner = ${node}, epoch = epoch + 1`);
}

function query<Row>(sql: string): Promise<Row[]> {
  return postgres.query<Row>(sql, new URL(url).pathname.slice(1));
}

it("the append that creates a session claims it", async () => {
  expect(await store.append([new SampleSession("a").batch({ events: 1, claim: MINE })])).toEqual({
    refused: [],
  });
  expect(await query("SELECT owner::int, epoch FROM interlingua.log_head")).toEqual([{ owner: 1, epoch: 0 }]);
});

it("names what was refused, writes nothing of it, and all of the others", async () => {
  const [lost, kept] = [new SampleSession("lost"), new SampleSession("kept")];
  await store.append([lost.batch({ events: 1, claim: MINE })]);
  await claimFor(2);
  await store.append([kept.batch({ events: 1, claim: MINE })]);
  const messages = [sampleMessage("m")];
  const memory = [{ part: "p", seq: 1, data: Buffer.from("text"), replaces: true } as const];
  const batch = [
    lost.batch({ events: 2, raws: 1, messages, memory, claim: MINE }),
    kept.batch({ events: 2, memory, claim: MINE }),
  ];
  expect(await store.append(batch)).toEqual({ refused: ["lost"] });
  expect(await store.getSession("lost")).toMatchObject({ head: 1, rawHead: 0 });
  expect(await store.getMessage("lost", "m")).toBeUndefined();
  expect(await store.getSession("kept")).toMatchObject({ head: 3 });
  expect(await query("SELECT part, seq::int FROM interlingua.memory")).toEqual([{ part: "p", seq: 1 }]);
  // Also when it is asked for the first time, and not known from before.
  expect(await store.append([batch[0]!])).toEqual({ refused: ["lost"] });
  expect((await store.check()).problems).toEqual([]);
});

it("goes on under a later claim from where others have left the log", async () => {
  const sample = new SampleSession("a");
  await store.append([sample.batch({ events: 1, claim: MINE })]);
  await claimFor(2);
  // Another node has a store of its own, which does not know what this one remembers.
  await query("UPDATE interlingua.log_head SET owner = 1, epoch = epoch + 1");
  const later = { node: 1, epoch: 2 };
  expect(await store.append([sample.batch({ events: 1, claim: later })])).toEqual({ refused: [] });
  expect((await store.getSession("a"))?.head).toBe(2);
});

it("refuses to create a session that another node has created, and one that was deleted", async () => {
  await store.append([new SampleSession("a").batch({ events: 2, claim: { node: 2, epoch: 0 } })]);
  expect(await store.append([new SampleSession("a").batch({ events: 1, claim: MINE })])).toEqual({
    refused: ["a"],
  });
  const gone = new SampleSession("gone");
  gone.batch({ events: 3 });
  expect(await store.append([gone.batch({ events: 1, claim: { node: 1, epoch: 4 } })])).toEqual({
    refused: ["gone"],
  });
  expect((await store.getSession("a"))?.head).toBe(2);
});

it("makes a session again whose namesake another node has deleted", async () => {
  await store.close();
  store = await openPostgres({ url, isShared: true });
  await store.append([new SampleSession("a").batch({ events: 3, raws: 1, claim: MINE })]);
  const other = await openPostgres({ url, isShared: true });
  await claimFor(2);
  expect(await other.deleteSession("a", { node: 2, epoch: 1 })).toBe(true);
  await other.close();
  const again = new SampleSession("a");
  expect(await store.append([again.batch({ events: 1, claim: MINE })])).toEqual({ refused: [] });
  expect(await store.append([again.batch({ events: 1, claim: MINE })])).toEqual({ refused: [] });
  expect(await store.getSession("a")).toMatchObject({ head: 2, rawHead: 0 });
  expect((await store.check()).problems).toEqual([]);
});

it("deletes under a claim that holds, and under no other", async () => {
  await store.append([new SampleSession("a").batch({ events: 1, claim: MINE })]);
  await claimFor(2);
  await expect(store.deleteSession("a", MINE)).rejects.toMatchObject({ code: "session_moved" });
  expect(await store.getSession("a")).toBeDefined();
  expect(await store.deleteSession("a", { node: 2, epoch: 1 })).toBe(true);
  expect(await store.getSession("a")).toBeUndefined();
});

it("an append without a claim is of one daemon that owns everything, whatever was claimed before", async () => {
  const sample = new SampleSession("a");
  await store.append([sample.batch({ events: 1, claim: MINE })]);
  await store.close();
  await claimFor(2);
  store = await openPostgres({ url });
  expect(await store.append([sample.batch({ events: 1 })])).toEqual({ refused: [] });
  expect((await store.getSession("a"))?.head).toBe(2);
});
