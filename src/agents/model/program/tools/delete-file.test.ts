import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deleteFile } from "./delete-file.ts";
import { call, toolBench } from "./tool-test-support.ts";

it("deletes a file and shows what was in it", async () => {
  const bench = toolBench();
  const file = join(bench.cwd, "a.txt");
  writeFileSync(file, "one\n");
  const diff = `--- ${file}\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n`;
  const changes = [{ path: file, change: "deleted", diff }];
  expect(await deleteFile.preview!({ path: "a.txt" }, bench)).toEqual(changes);
  expect(existsSync(file)).toBe(true);
  expect(await deleteFile.run({ path: "a.txt" }, bench)).toEqual({
    result: { type: "delete_file_result", path: "a.txt" },
    changes,
  });
  expect(existsSync(file)).toBe(false);
});

it("deletes a link and not what it leads to", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.outside, "kept"), "kept");
  symlinkSync("../kept", join(bench.cwd, "link"));
  symlinkSync("nowhere", join(bench.cwd, "dangling"));
  await deleteFile.run({ path: "link" }, bench);
  await deleteFile.run({ path: "dangling" }, bench);
  expect(lstatSync(join(bench.cwd, "link"), { throwIfNoEntry: false })).toBeUndefined();
  expect(lstatSync(join(bench.cwd, "dangling"), { throwIfNoEntry: false })).toBeUndefined();
  expect(existsSync(join(bench.outside, "kept"))).toBe(true);
});

it.each([
  ["../kept", "outside_directory"],
  ["out/kept", "outside_directory"],
  ["/etc/hostname", "outside_directory"],
  ["folder", "not_a_file"],
  [".", "not_a_file"],
  ["missing", "not_found"],
  [".git/config", "permission_denied"],
  ["a\0b", "invalid_argument"],
])("%j is not deleted", async (path, code) => {
  const bench = toolBench();
  writeFileSync(join(bench.outside, "kept"), "kept");
  symlinkSync("..", join(bench.cwd, "out"));
  mkdirSync(join(bench.cwd, "folder"));
  mkdirSync(join(bench.cwd, ".git"));
  writeFileSync(join(bench.cwd, ".git/config"), "");
  expect(await call(deleteFile, { path }, bench)).toMatchObject({ type: "tool_error", code });
  expect(existsSync(join(bench.outside, "kept"))).toBe(true);
  expect(existsSync(join(bench.cwd, ".git/config"))).toBe(true);
});
