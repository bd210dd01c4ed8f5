/** The table of tails under a steady load, where PostgreSQL does not look after it by itself. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SampleSession } from "../../src/store/contract/sample-session.ts";
import { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { TailVacuum } from "../../src/store/postgres/tail-vacuum.ts";
import { until } from "../../src/testkit/until.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

const MEGABYTE = 1024 * 1024;

let postgres: TestPostgres;
let url: string;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.stop();
  await postgres.start({ autovacuum: "off" });
  url = await postgres.createDatabase();
});

afterAll(() => postgres[Symbol.asyncDispose]());

function query<Row>(sql: string): Promise<Row[]> {
  return postgres.query<Row>(sql, new URL(url).pathname.slice(1));
}

async function megabytes(): Promise<number> {
  const [row] = await query<{ size: string }>("SELECT pg_total_relation_size('interlingua.tail') AS size");
  return Number(row!.size) / MEGABYTE;
}

it("the table of tails does not grow with all that was ever written", async () => {
  const store = await openPostgres({ url, sealDelayMs: 1 });
  const sessions = Array.from({ length: 4 }, (_, n) => new SampleSession(`s${n}`));
  const text = "x".repeat(4096);
  const isPacked = async () => (await query("SELECT 1 FROM interlingua.tail LIMIT 1")).length === 0;
  for (let written = 0; written < 160; written += 4) {
    for (const session of sessions)
      await store.append([session.batch({ events: Array<string>(256).fill(text), seal: true })]);
    await until(isPacked);
  }
  await store.close();
  // Without care it has all 160 of them.
  expect(await megabytes()).toBeLessThan(80);
});

it("while somebody else looks after it, nobody waits", async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  // As VACUUM has it.
  await other.query("BEGIN; LOCK TABLE interlingua.tail IN SHARE UPDATE EXCLUSIVE MODE");
  const connection = await PostgresConnection.open({ url, timeouts: { statementMs: 1000 } });
  const failures: unknown[] = [];
  const vacuum = new TailVacuum({
    query: (statement) =>
      connection.query<never>(statement).catch((error: unknown) => {
        failures.push(error);
        throw error;
      }),
  });
  vacuum.note(100 * MEGABYTE);
  const store = await openPostgres({ url });
  await store.append([new SampleSession("beside").batch({ events: 1 })]);
  await vacuum.finish();
  expect(failures).toEqual([]);
  await store.close();
  await connection.close();
  await other.query("ROLLBACK");
  await other.end();
});
