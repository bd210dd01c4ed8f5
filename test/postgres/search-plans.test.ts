/** How PostgreSQL finds words in a database that has many of them, with statistics as `ANALYZE` makes them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresConnection } from "../../src/store/postgres/connection.ts";
import { listStatement } from "../../src/store/postgres/list-sessions.ts";
import { migrate } from "../../src/store/postgres/migrate.ts";
import { connectPostgres } from "../../src/store/postgres/open-postgres.ts";
import { PostgresReader } from "../../src/store/postgres/postgres-reader.ts";
import { WITHOUT_TABLE_SCANS } from "../../src/store/postgres/search-lexemes.ts";
import { indexedTexts } from "../../src/store/postgres/search-messages.ts";
import { startPostgres, type TestPostgres } from "./start-postgres.ts";

const MESSAGES = 20_000;
const SESSIONS = 4000;

/** Words of different frequency between others. The newest texts do not have `formerly`. */
const wordsOf = (n: string, all: number) => `to_tsvector('simple', 'everywhere '
  || (SELECT string_agg('w' || (abs(hashint8(${n} * 100 + k)) % 5000)::text, ' ') FROM generate_series(1, 40) k)
  || CASE WHEN ${n} < ${all * 0.7} THEN ' formerly' ELSE '' END
  || CASE WHEN ${n} % 200 = 7 THEN ' middling' ELSE '' END
  || CASE WHEN ${n} = 7 THEN ' rare' ELSE '' END)`;

const FILL = `
INSERT INTO session (id, key, agent, cwd, status, created_at, updated_at, open_asks, queued, attached, request)
  SELECT n, 's' || n, 'mock', '/x', 'idle', n, n, 0, 0, false, '{}' FROM generate_series(1, ${SESSIONS}) n;
INSERT INTO log_head (session, head, format) SELECT n, 1, 1 FROM generate_series(1, ${SESSIONS}) n;
INSERT INTO search (session, words) SELECT n, ${wordsOf("n", SESSIONS)} FROM generate_series(1, ${SESSIONS}) n;
INSERT INTO message (session, id, role, state, first_seq, last_seq, position)
  SELECT 1 + n / 5, 'm' || n, 'assistant', 'done', 1, 1, n % 5 FROM generate_series(0, ${MESSAGES - 1}) n;
INSERT INTO message_text (message, session, at, text, words)
  SELECT number, session, number, repeat('lorem ipsum ', 40), ${wordsOf("number", MESSAGES)} FROM message;
ANALYZE;`;

let postgres: TestPostgres;
let connection: PostgresConnection;

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.createDatabase();
  connection = await connectPostgres({ url }, undefined, migrate);
  for (const statement of FILL.split(";").filter((text) => text.trim())) await connection.query(statement);
});

afterAll(async () => {
  await connection.close();
  await postgres[Symbol.asyncDispose]();
});

/** The plan of a statement, as text. */
async function plan(sql: string, values: readonly unknown[]): Promise<string> {
  const lines = await connection.transaction(async (run) => {
    await run(WITHOUT_TABLE_SCANS);
    return run<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`, values as string[]);
  });
  return lines.map((line) => line["QUERY PLAN"]).join("\n");
}

/** As somebody types them: the last word may be the beginning of a longer one. */
const QUERIES = ["rare", "middling", "formerly", "everywhere", "nowhere", "rare everywhere"];

describe.each(QUERIES)("the words %s", (words) => {
  const lexemes = words
    .split(" ")
    .map((word, index, { length }) => `'${word}'${index === length - 1 ? ":*" : ""}`)
    .join(" & ");

  it("are found in messages by the index", async () => {
    const { sql, values } = indexedTexts({ words: lexemes, limit: 20 });
    const found = await plan(sql, values);
    expect(found).toContain("Bitmap Index Scan on message_text_words");
    expect(found).not.toContain("Seq Scan on message_text");
  });

  it("are found in prompts and titles by the index", async () => {
    const found = await plan(...listStatement({ search: words, limit: 50 }, "indexed"));
    expect(found).toContain("Bitmap Index Scan on search_words");
    expect(found).not.toContain("Seq Scan on search");
  });

  it("are found, however many have them, and page by page", async () => {
    const reader = new PostgresReader(connection);
    const expected = [...Array(MESSAGES).keys()]
      .map((n) => n + 1)
      .filter((number) => words.split(" ").every((word) => HAS[word]!(number)))
      .reverse();
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.searchMessages({ words, limit: 400, cursor });
      found.push(...page.hits.map(({ message }) => Number(message.slice(1)) + 1));
      cursor = page.cursor;
    } while (cursor !== undefined && found.length < 2000);
    expect(found).toEqual(expected.slice(0, found.length));
    expect(found.length).toBeGreaterThanOrEqual(Math.min(expected.length, 2000));
  });
});

const HAS: Record<string, (number: number) => boolean> = {
  rare: (number) => number === 7,
  middling: (number) => number % 200 === 7,
  formerly: (number) => number < MESSAGES * 0.7,
  everywhere: () => true,
  nowhere: () => false,
};
