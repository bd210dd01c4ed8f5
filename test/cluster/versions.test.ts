/** Releases beside each other on one database, and data in it that is not what was written. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { TABLES_VERSION } from "../../src/store/postgres/migrate.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import { until } from "../../src/testkit/until.ts";
import { createSession, dispatchedIn } from "./node-sessions.ts";
import { endNode, eventsAt, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

const NEXT_FORMAT = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "formats/next-format.ts"))}`,
};

let cluster: TestCluster;
/** The database of a test: what is in it stays. */
let url: string;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

function query<Row>(sql: string): Promise<Row[]> {
  return cluster.postgres.query<Row>(sql, new URL(url).pathname.slice(1));
}

describe("a node of this release and one of the next, which writes another format", () => {
  afterEach(() => cluster.clear());

  it("the next one goes on with what this one wrote; this one never with what it cannot read", async () => {
    url = cluster.store;
    const start = (data: string, environment = {}): Promise<TestNode> =>
      cluster.startNode({ data, leaseMs: 2000, environment });
    const [data, nextData] = [cluster.temporary(), cluster.temporary()];
    const current = await start(data);
    await createSession(current, "s");
    await runTurn(current, "s", "first");
    const next = await start(nextData, NEXT_FORMAT);
    const formats = await query<{ reads_format: number }>(
      "SELECT reads_format FROM interlingua.node ORDER BY id",
    );
    expect(formats[1]!.reads_format).toBe(formats[0]!.reads_format + 1);
    await endNode(current, "SIGKILL");
    await runTurn(next, "s", "second");
    expect(checkLog(await eventsAt(next, "s"), { complete: true })).toEqual([]);

    // With both, whoever is called, the one that can read it has it.
    const again = await start(data);
    await runTurn(again, "s", "third");
    await createSession(again, "t");
    await endNode(next, "SIGKILL");
    const before = await headOf("s");
    const refused = await again.client.request("POST", "/v1/sessions/s/messages", { text: "hello" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await runTurn(again, "t", "first");
    expect(await headOf("s")).toBe(before);
    const back = await start(nextData, NEXT_FORMAT);
    await runTurn(back, "s", "fourth");
    const events = await eventsAt(back, "s");
    expect(checkLog(events, { complete: true })).toEqual([]);
    expect(dispatchedIn(events)).toEqual(["first", "second", "third", "fourth"]);
  });
});

async function runTurn({ client }: TestNode, session: string, message: string): Promise<void> {
  await eventually(`${message} is taken`, async () => {
    const body = { text: "scenario:text hello", id: message };
    return (await client.request("POST", `/v1/sessions/${session}/messages`, body)).ok;
  });
  await eventually(`${message} is done`, async () => {
    const response = await client.request("GET", `/v1/sessions/${session}`);
    return response.ok && ((await response.json()) as { status: string }).status === "idle";
  });
}

async function headOf(session: string): Promise<string> {
  const [row] = await query<{ head: string }>(
    `SELECT head FROM interlingua.log_head h JOIN interlingua.session s ON s.id = h.session WHERE key = '${session}'`,
  );
  return row!.head;
}

describe("tables of another release", () => {
  it("are made by one of many that start at the same moment", async () => {
    url = await cluster.postgres.createDatabase();
    const stores = await Promise.all([1, 2, 3].map(() => openPostgres({ url, isShared: true })));
    for (const store of stores) await store.close();
    expect(await query("SELECT version FROM interlingua.migration")).toHaveLength(TABLES_VERSION);
  });

  it("are used as long as they only have more", async () => {
    url = await cluster.postgres.createDatabase();
    await (await openPostgres({ url })).close();
    await query(`ALTER TABLE interlingua.session ADD COLUMN of_a_later_release text;
      INSERT INTO interlingua.migration (version, oldest_program) VALUES (${TABLES_VERSION + 1}, ${TABLES_VERSION})`);
    const store = await openPostgres({ url });
    await store.append([new SampleSession("a").batch({ events: 1 })]);
    expect((await store.getSession("a"))?.head).toBe(1);
    await store.close();
  });

  it("are refused, unchanged, by a program that is too old for them", async () => {
    await query(
      `INSERT INTO interlingua.migration (version, oldest_program) VALUES (${TABLES_VERSION + 2}, ${TABLES_VERSION + 1})`,
    );
    await expect(openPostgres({ url })).rejects.toThrow("written by a newer version of Interlingua");
    expect(await query("SELECT 1 FROM interlingua.migration")).toHaveLength(TABLES_VERSION + 2);
  });
});

describe("data that is not what was written", () => {
  const FLIP = "data = set_byte(data, length(data) / 2, get_byte(data, length(data) / 2) # 1)";

  it.each([
    ["a row of the tail", "tail", false],
    ["a block", "block", true],
  ])("%s: the session is damaged, and no other", async (_, table, isPacked) => {
    url = await cluster.postgres.createDatabase();
    const writer = await openPostgres({ url, sealDelayMs: isPacked ? 0 : 1_000_000 });
    for (const id of ["damaged", "whole"])
      await writer.append([new SampleSession(id).batch({ events: 50, raws: 5, seal: isPacked })]);
    if (isPacked) await until(async () => (await query("SELECT 1 FROM interlingua.tail")).length === 0);
    // What packs the tail has ended before it is damaged.
    await writer.close();
    await query(
      `UPDATE interlingua.${table} SET ${FLIP} WHERE session = (SELECT id FROM interlingua.session WHERE key = 'damaged')`,
    );
    const store = await openPostgres({ url });
    const reading = store.readEvents("damaged", 0, 100);
    await expect(reading).rejects.toMatchObject({ code: "session_damaged" });
    // The command for backups is for the file.
    await expect(reading).rejects.toThrow(
      /and restore a backup of the database, such as one of `pg_dump`\.$/,
    );
    expect((await store.readEvents("whole", 0, 100)).events).toHaveLength(50);
    expect(store.health()).toMatchObject({ damagedSessions: ["damaged"] });
    expect((await store.listSessions({ limit: 10 })).sessions.map(({ id }) => id)).toContain("whole");
    const { ok, problems } = await store.check();
    expect(ok).toBe(false);
    expect(problems.join()).toContain("damaged");
    expect(problems.join()).not.toContain("whole");
    await store.append([new SampleSession("other").batch({ events: 1 })]);
    await store.close();
  });

  it("a snapshot: it is not used, and the log says the same", async () => {
    url = await cluster.postgres.createDatabase();
    const store = await openPostgres({ url });
    const snapshot = { seq: 3, json: JSON.stringify({ some: "state" }) };
    await store.append([new SampleSession("a").batch({ events: 3, snapshot })]);
    expect((await store.loadState("a"))?.snapshot).toEqual(snapshot);
    await query(`UPDATE interlingua.snapshot SET ${FLIP}`);
    const state = await store.loadState("a");
    expect(state?.row.head).toBe(3);
    expect(state?.snapshot).toBeUndefined();
    await store.close();
  });
});
