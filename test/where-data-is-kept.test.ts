/** The page that says where settings are kept, and what copies contain, has everything there is. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve, stop } from "../src/cli/test-support.ts";
import { DIALECTS } from "../src/dialects/registry.ts";
import { routes } from "../src/protocol/route-table.ts";
import { createTokenSchema } from "../src/protocol/schemas/people.ts";
import { createSessionSchema, updateSessionSchema } from "../src/protocol/schemas/session.ts";
import type { MountedRoute } from "../src/server/mount.ts";
import { STEPS } from "../src/store/postgres/migrate.ts";
import { TABLES } from "../src/store/postgres/schema.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../docs/reference/where-data-is-kept.md"), "utf8");
const [, SETTINGS = "", COPIES = ""] = PAGE.split(/^## .*$/m);

/** The names in backticks. */
function named(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** The names in one column of a table. */
function column(text: string, index: number): string[] {
  const rows = text.split("\n").filter((line) => line.startsWith("|") && !line.startsWith("|---"));
  return rows.slice(1).flatMap((row) => named(row.split("|")[index + 1] ?? ""));
}

describe("settings made over HTTP", () => {
  const changing = [routes, ...DIALECTS.map((dialect) => dialect.routes)]
    .flatMap((table) => Object.values<MountedRoute>(table))
    .filter(({ method }) => method !== "get")
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);

  test("every route that changes something is there, and no other", () => {
    const listed = named(SETTINGS).filter((name) => /^(POST|PUT|PATCH|DELETE) /.test(name));
    expect([...new Set(listed)].sort()).toEqual([...new Set(changing)].sort());
  });

  test("every field of sessions and tokens is there, in one row", () => {
    const fields = [createSessionSchema, updateSessionSchema, createTokenSchema].flatMap(({ shape }) =>
      Object.keys(shape),
    );
    const listed = column(SETTINGS, 0);
    expect([...new Set(listed)].sort()).toEqual([...new Set(fields)].sort());
    expect(listed).toHaveLength(new Set(listed).size);
  });
});

describe("contents of copies", () => {
  const listed = new Set(column(COPIES, 1));
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "interlingua-kept-"));
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  test("every table of PostgreSQL is there", () => {
    const made = [TABLES, ...STEPS.map(({ sql }) => sql)].flatMap((sql) =>
      [...sql.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name!),
    );
    expect(made.length).toBeGreaterThan(15);
    expect([...made, "migration"].filter((table) => !listed.has(table))).toEqual([]);
  });

  test("every table of a file, and every file of a data directory, is there", async () => {
    const daemon = await serve(["--data", directory]);
    const files = readdirSync(directory);
    await stop(daemon);
    const database = new DatabaseSync(join(directory, "interlingua.db"));
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    database.close();
    const names = [...tables.map(({ name }) => String(name)), ...files];
    // Tables and files of SQLite itself.
    const own = /^sqlite_|^(message_)?search_(data|idx|docsize|config)$|-(wal|shm|journal)$/;
    expect(names.filter((name) => !own.test(name) && !listed.has(name))).toEqual([]);
    expect(names).toContain("session");
    expect(names).toContain("interlingua.db");
  });
});
