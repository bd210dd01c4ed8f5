/** Database files damaged in many ways: a start works or says why not, and nobody ever reads something else than was written. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore, openStoreReadOnly } from "../open-store.ts";
import type { ReadableStore } from "../readable-store.ts";
import {
  type Answers,
  compareAnswers,
  makeDatabase,
  randomNumbers,
  readEverything,
} from "./damage-test-support.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const PAGE = 4096;
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 4);
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

let directory: string;
let path: string;
let whole: Buffer;
let written: Answers;

beforeAll(async () => {
  directory = join(temporaryDirectory(), "data");
  mkdirSync(directory);
  path = join(directory, "interlingua.db");
  await makeDatabase(path);
  whole = readFileSync(path);
  written = (await look(() => openStoreReadOnly(directory))).answers;
});

afterAll(removeTemporaryDirectories);

async function look(open: () => Promise<ReadableStore>) {
  const store = await open();
  try {
    const answers = await readEverything(store);
    return { answers, report: await store.check(), health: store.health() };
  } finally {
    await store.close().catch(() => {});
  }
}

/** Leaves only the files it gives. */
function lay(files: Readonly<Record<string, Buffer | undefined>>): void {
  rmSync(directory, { recursive: true });
  mkdirSync(directory);
  for (const [suffix, bytes] of Object.entries(files)) if (bytes) writeFileSync(`${path}${suffix}`, bytes);
}

type Random = (below: number) => number;

function garbage(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random(256)));
}

function changed(change: (bytes: Buffer) => Buffer | undefined): Record<string, Buffer> {
  const bytes = Buffer.from(whole);
  return { "": change(bytes) ?? bytes };
}

const DAMAGE: Readonly<Record<string, (random: Random) => Record<string, Buffer | undefined>>> = {
  "one bit": (random) =>
    changed((bytes) => {
      const at = random(bytes.length);
      bytes[at] = bytes[at]! ^ (1 << random(8));
      return undefined;
    }),
  "twenty bits": (random) =>
    changed((bytes) => {
      for (let n = 0; n < 20; n += 1) {
        const at = random(bytes.length);
        bytes[at] = bytes[at]! ^ (1 << random(8));
      }
      return undefined;
    }),
  "a page of zeros": (random) => changed((bytes) => void bytes.fill(0, ...page(random, bytes))),
  "a page of garbage": (random) =>
    changed((bytes) => void garbage(random, PAGE).copy(bytes, page(random, bytes)[0])),
  "two pages exchanged": (random) =>
    changed((bytes) => {
      const [first, second] = [page(random, bytes), page(random, bytes)];
      const kept = Buffer.from(bytes.subarray(...first));
      bytes.copy(bytes, first[0], ...second);
      kept.copy(bytes, second[0]);
      return undefined;
    }),
  "a page header overwritten": (random) =>
    changed((bytes) => {
      const [at] = page(random, bytes);
      bytes.fill(bytes[100]!, at + 8, at + 64);
      return undefined;
    }),
  "pages overwritten": (random) =>
    changed((bytes) => void bytes.fill(bytes[100]!, page(random, bytes)[0] + 8, page(random, bytes)[0] + 64)),
  "cut somewhere": (random) => changed((bytes) => bytes.subarray(0, 1 + random(bytes.length - 1))),
  "cut at a page": (random) => changed((bytes) => bytes.subarray(0, page(random, bytes)[1])),
  "garbage at its end": (random) =>
    changed((bytes) => Buffer.concat([bytes, garbage(random, 1 + random(2 * PAGE))])),
  "a garbage -wal": (random) => ({ "": whole, "-wal": garbage(random, 1 + random(3 * PAGE)) }),
  "a garbage -shm": (random) => ({ "": whole, "-shm": garbage(random, 32768) }),
  "garbage beside garbage": (random) => ({ "": garbage(random, 5 * PAGE), "-wal": garbage(random, PAGE) }),
  "no file beside a -wal": (random) => ({ "-wal": garbage(random, PAGE) }),
  "an empty file": () => ({ "": Buffer.alloc(0) }),
};

/** Where the only page of a small table begins. */
function pageOf(table: string): number {
  lay({ "": whole });
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(table);
    return (Number(row?.rootpage) - 1) * PAGE;
  } finally {
    database.close();
  }
}

/** The database with another list of where the rows of a page are. */
function damageCells(table: string, damage: (cells: Uint16Array) => unknown): Buffer {
  const at = pageOf(table);
  const bytes = Buffer.from(whole);
  const count = bytes.readUInt16BE(at + 3);
  expect(count).toBeGreaterThan(2);
  const cells = Uint16Array.from({ length: count }, (_, n) => bytes.readUInt16BE(at + 8 + 2 * n));
  damage(cells);
  for (const [n, cell] of cells.entries()) bytes.writeUInt16BE(cell, at + 8 + 2 * n);
  return bytes;
}

function page(random: Random, bytes: Buffer): [number, number] {
  const at = PAGE * random(Math.floor(bytes.length / PAGE));
  return [at, at + PAGE];
}

it.each(Object.keys(DAMAGE))(
  `%s: a start works or says why not, and nobody reads what was not written (SEED=${SEED})`,
  { timeout: 60_000 + 5000 * ROUNDS },
  async (kind) => {
    const random = randomNumbers(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const files = DAMAGE[kind]!(random);
      // A reader beside it, and the daemon itself.
      for (const open of [
        () => openStoreReadOnly(directory),
        () => openStore({ directory, sealDelayMs: 0 }),
      ]) {
        lay(files);
        const seen = await look(open).catch((error: Error) => error);
        const where = `round ${round}`;
        if (seen instanceof Error) {
          expect(seen.message, where).toMatch(/\w/);
          expect(seen, where).not.toBeInstanceOf(TypeError);
          continue;
        }
        const { wrong, lacking } = compareAnswers(written, seen.answers);
        expect(wrong, where).toEqual([]);
        if (lacking.length > 0) expect({ where, lacking, ok: seen.report.ok }).toMatchObject({ ok: false });
        if (lacking.length > 0 && existsSync(path))
          expect(seen.report.problems.length, where).toBeGreaterThan(0);
      }
    }
  },
);

it.each<[string, (cells: Uint16Array) => unknown]>([
  ["one row several times", (cells) => cells.fill(cells[0]!)],
  ["its rows in the wrong order", (cells) => cells.reverse()],
])("a search gives no hit twice and keeps their order when a damaged page has %s", async (_, damage) => {
  lay({ "": damageCells("text_to_index", damage) });
  const { answers, report, health } = await look(() => openStoreReadOnly(directory));
  const { wrong, lacking } = compareAnswers(written, answers);
  expect({ wrong, lacking, ok: report.ok }).toEqual({ wrong: [], lacking: ["search"], ok: false });
  expect(answers.get("search")).not.toEqual([]);
  expect(health.problem).toContain("the search index has rows twice or in the wrong order");
});

it("the audit log of a session keeps its order when a damaged index has two entries exchanged", async () => {
  lay({ "": damageCells("audit_by_session", (cells) => cells.subarray(0, 2).reverse()) });
  const { answers, report } = await look(() => openStoreReadOnly(directory));
  const { wrong, lacking } = compareAnswers(written, answers);
  expect({ wrong, lacking, ok: report.ok }).toEqual({ wrong: [], lacking: ["alpha audit"], ok: false });
});

it("a letter of the schema that became a capital gives no other answers", async () => {
  const bytes = Buffer.from(whole);
  const at = bytes.lastIndexOf("answered TEXT");
  expect(at).toBeGreaterThan(0);
  bytes.write("A", at);
  lay({ "": bytes });
  const { answers } = await look(() => openStoreReadOnly(directory));
  expect(compareAnswers(written, answers)).toEqual({ wrong: [], lacking: [] });
});

it.each([
  ["asks", "tokens", "ask", "token"],
  ["invitations", "tokens", "invitation", "token"],
  ["asks", "invitations", "ask", "invitation"],
])("%s are not taken for %s when their pages are exchanged", async (_, __, first, second) => {
  const [one, other] = [pageOf(first), pageOf(second)];
  const bytes = Buffer.from(whole);
  whole.copy(bytes, one, other, other + PAGE);
  whole.copy(bytes, other, one, one + PAGE);
  lay({ "": bytes });
  const { answers, report } = await look(() => openStoreReadOnly(directory));
  const { wrong, lacking } = compareAnswers(written, answers);
  expect({ wrong, ok: report.ok }).toEqual({ wrong: [], ok: false });
  expect(lacking).toContain(`${second}s`);
});
