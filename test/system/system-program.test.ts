import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findSystemProgram, SYSTEM_PROGRAMS } from "./system-program.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "il-system-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a program is found in the search path, or where servers are installed", () => {
  const [users, servers] = [join(folder, "bin"), join(folder, "sbin")];
  for (const each of [users, servers]) {
    mkdirSync(each);
    writeFileSync(join(each, "nginx"), "#!/bin/sh\n");
  }
  const find = () => findSystemProgram("nginx", [folder, users].join(delimiter), [servers]);
  expect(find()).toBeUndefined();
  chmodSync(join(servers, "nginx"), 0o755);
  expect(find()).toBe(join(servers, "nginx"));
  chmodSync(join(users, "nginx"), 0o755);
  expect(find()).toBe(join(users, "nginx"));
});

test("a folder of that name is no program", () => {
  mkdirSync(join(folder, "haproxy"));
  expect(findSystemProgram("haproxy", folder, [])).toBeUndefined();
});

test.runIf(process.env.INTERLINGUA_REQUIRE_SYSTEM === "1").each(SYSTEM_PROGRAMS)(
  "%s is installed",
  (name) => {
    const remedy = `not run: ${name} is not installed. Install it, or unset INTERLINGUA_REQUIRE_SYSTEM`;
    expect(findSystemProgram(name), remedy).toBeDefined();
  },
);
