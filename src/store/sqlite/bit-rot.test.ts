/** One bit flips in a stored value: whoever reads gets what was written or an error, and the check finds it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStoreReadOnly } from "../open-store.ts";
import {
  type Answers,
  compareAnswers,
  makeDatabase,
  randomNumbers,
  readEverything,
} from "./damage-test-support.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const FLIPS = 3;
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

let directory: string;
let whole: Buffer;
let written: Answers;

beforeAll(async () => {
  directory = join(temporaryDirectory(), "data");
  mkdirSync(directory);
  await makeDatabase(join(directory, "interlingua.db"));
  whole = readFileSync(join(directory, "interlingua.db"));
  written = (await look()).answers;
});

afterAll(removeTemporaryDirectories);

async function look() {
  const store = await openStoreReadOnly(directory);
  try {
    return { answers: await readEverything(store), report: await store.check() };
  } finally {
    await store.close();
  }
}

/** The values of a column as SQLite reads them. */
function valuesOf(table: string, column: string): Buffer[] {
  const database = new DatabaseSync(join(directory, "interlingua.db"), { readOnly: true });
  try {
    const rows = database
      .prepare(`SELECT CAST(${column} AS BLOB) AS value FROM ${table} ORDER BY rowid`)
      .all();
    return rows.flatMap(({ value }) => (value ? [Buffer.from(value as Uint8Array)] : []));
  } finally {
    database.close();
  }
}

/** Every place where something looks like the beginning of a value; SQLite leaves some in room that it no longer uses. */
function placesOf(values: readonly Buffer[]): { at: number; length: number }[] {
  return values.flatMap((value) => {
    const beginning = value.subarray(0, 200);
    const places: { at: number; length: number }[] = [];
    for (let at = whole.indexOf(beginning); at >= 0; at = whole.indexOf(beginning, at + 1))
      places.push({ at, length: beginning.length });
    return places;
  });
}

it.each([
  ["session", "cwd"],
  ["session", "title"],
  ["session", "metadata"],
  ["tail", "events"],
  ["tail", "raws"],
  ["block", "data"],
  ["raw_blob", "data"],
  ["message", "request"],
  ["message", "record"],
  ["message_text", "text"],
  ["ask", "opened"],
  ["snapshot", "json"],
  ["usage_day", "day"],
  ["usage_day", "model"],
  ["token", "hash"],
  ["token", "sessions"],
  ["invitation", "name"],
  ["audit", "actor"],
])(
  `a flipped bit in %s.%s does not reach a client (SEED=${SEED})`,
  { timeout: 60_000 },
  async (table, column) => {
    const random = randomNumbers(SEED);
    const values = valuesOf(table, column);
    const places = placesOf(values);
    let flips = 0;
    for (let tries = 0; flips < FLIPS && tries < 20 * FLIPS; tries += 1) {
      const { at, length } = places[random(places.length)]!;
      const [byte, bit] = [at + random(length), random(8)];
      const damaged = Buffer.from(whole);
      damaged[byte] = damaged[byte]! ^ (1 << bit);
      writeFileSync(join(directory, "interlingua.db"), damaged);
      if (isDeepStrictEqual(valuesOf(table, column), values)) continue;
      flips += 1;
      const { answers, report } = await look();
      const { wrong } = compareAnswers(written, answers);
      expect({ byte, bit, wrong, ok: report.ok }).toEqual({ byte, bit, wrong: [], ok: false });
    }
    writeFileSync(join(directory, "interlingua.db"), whole);
    expect(flips).toBe(FLIPS);
  },
);
