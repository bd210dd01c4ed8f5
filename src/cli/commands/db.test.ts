import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { DATABASE_FILE } from "../../store/sqlite/data-directory.ts";
import type { Finding } from "../doctor/finding.ts";
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

test("db copy from a directory with a daemon names the command that ends it", async () => {
  const daemon = await serve(["--data", directory]);
  const { code, stderr } = await run(["db", "copy", directory, join(directory, "copy")]);
  await stop(daemon);
  const remedy = `already uses the data directory ${directory}. End it with: interlingua stop --data ${directory}\n`;
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(remedy) });
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

describe("a file that is no database is named, with what to do,", () => {
  const remedy =
    "Restore a backup with: interlingua backup restore FILE --force. Or move it and its -wal and -shm files away; then put a copy in its place";

  beforeEach(() => writeFileSync(join(directory, DATABASE_FILE), "This is no database. ".repeat(500)));

  test.each([["db check"], ["serve --port 0"], ["sessions"], ["tail s1 --no-follow"]])(
    "by %s",
    async (words) => {
      const { code, stdout, stderr } = await run([...words.split(" "), "--data", directory]);
      const file = join(directory, DATABASE_FILE);
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `interlingua: ${file} cannot be opened: file is not a database. ${remedy}, or start anew.\n`,
      });
    },
  );

  test("by doctor, together with the copies there are", async () => {
    writeFileSync(join(directory, `${DATABASE_FILE}.format-0.bak`), "");
    const { code, stdout } = await run(["doctor", "--json", "--data", directory]);
    const findings = JSON.parse(stdout) as Finding[];
    expect(code).toBe(1);
    expect(findings.find(({ about }) => about === "database")).toEqual({
      about: "database",
      state: "problem",
      detail: expect.stringContaining(`${remedy} (${DATABASE_FILE}.format-0.bak), or start anew.`),
    });
  });

  test("and the remedy helps", async () => {
    renameSync(join(directory, DATABASE_FILE), join(directory, "broken"));
    await stop(await serve(["--data", directory]));
    expect((await check()).code).toBe(0);
  });
});

test("a database that cannot be opened is named", async () => {
  mkdirSync(join(directory, DATABASE_FILE));
  const { code, stderr } = await check();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^interlingua: \S+interlingua\.db is not a regular file\.\n$/),
  });
});

test("the directory that --data names is checked, also where INTERLINGUA_STORE is set", async () => {
  await (await openStore({ directory })).close();
  const environment = { INTERLINGUA_STORE: "postgres://me:sesame@127.0.0.1:1/db" };
  const { code, stdout, stderr } = await run(["db", "check", "--data", directory], { environment });
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${directory} is whole (sessions: 0, events: 0)\n` });
  expect(stderr).toContain("INTERLINGUA_STORE is ignored");
  const { code: other } = await run(["db", "check"], {
    environment: { ...environment, INTERLINGUA_DATA: directory },
  });
  expect(other).toBe(1);
});

test("its help speaks of no daemon to talk to", async () => {
  expect((await run(["db", "check", "--help"])).stdout).toMatch(
    /--data DIRECTORY +Data directory to check\n/,
  );
});

test("no database is exit code 1 and one line", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^interlingua: [^\n]+--data[^\n]*\n$/);
});
