import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { DATABASE_FILE } from "../../store/sqlite/data-directory.ts";
import { run, serve, stop } from "../test-support.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-db-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

function check() {
  return run(["db", "check", "--data", directory]);
}

test("a whole database is exit code 0, also while a daemon runs", async () => {
  const daemon = await serve(["--data", directory]);
  const expected = { code: 0, stdout: `${directory} is whole (sessions: 0, events: 0)\n`, stderr: "" };
  expect(await check()).toEqual(expected);
  await stop(daemon);
  expect(await check()).toEqual(expected);
});

test("a damaged database is exit code 1", async () => {
  const store = await openStore({ directory });
  await store.close();
  const file = join(directory, DATABASE_FILE);
  const bytes = readFileSync(file);
  // The header stays, so that it can be opened; what it leads to is gone.
  writeFileSync(file, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0x5a)]));
  expect((await check()).code).toBe(1);
});

test("no database is exit code 1 and one line", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^interlingua: [^\n]+--data[^\n]*\n$/);
});
