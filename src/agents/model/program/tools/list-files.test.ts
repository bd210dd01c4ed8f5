import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listFiles } from "./list-files.ts";
import { call, toolBench } from "./tool-test-support.ts";

function project() {
  const bench = toolBench();
  for (const folder of ["src/deep", ".git/objects", "node_modules/package", ".hidden"])
    mkdirSync(join(bench.cwd, folder), { recursive: true });
  for (const file of ["b.txt", "src/a.ts", "src/deep/c.ts", "node_modules/package/x.js", ".hidden/y", ".env"])
    writeFileSync(join(bench.cwd, file), "");
  writeFileSync(join(bench.outside, "secret.txt"), "");
  symlinkSync("..", join(bench.cwd, "out"));
  symlinkSync(".", join(bench.cwd, "src/circle"));
  return bench;
}

it("lists a directory", async () => {
  expect(await call(listFiles, { path: "." }, project())).toEqual({
    type: "list_files_result",
    path: ".",
    items: ["b.txt", "node_modules/", "out@", "src/"],
  });
});

it("lists all below, follows no link and leaves out what tools made", async () => {
  const { items } = await call(listFiles, { path: ".", recursive: true, hidden_files: true }, project());
  expect(items).toEqual([
    ".env",
    ".git/",
    ".hidden/",
    ".hidden/y",
    "b.txt",
    "node_modules/",
    "out@",
    "src/",
    "src/a.ts",
    "src/circle@",
    "src/deep/",
    "src/deep/c.ts",
  ]);
});

it.each([
  ["..", "outside_directory"],
  ["/", "outside_directory"],
  ["out", "outside_directory"],
  ["b.txt", "not_a_directory"],
  ["missing", "not_found"],
])("%s is not listed", async (path, code) => {
  const result = await call(listFiles, { path, recursive: true }, project());
  expect(result).toMatchObject({ type: "list_files_error", code });
  expect(JSON.stringify(result)).not.toContain("secret");
});

it("cuts a long listing and says so, and goes down as deep as it may", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.cwd, "many"));
  for (let index = 0; index < 2100; index += 1) writeFileSync(join(bench.cwd, `many/${index}`), "");
  const many = await call(listFiles, { path: "many" }, bench);
  expect(many).toMatchObject({ truncated: true });
  expect(many.items).toHaveLength(2000);
  mkdirSync(join(bench.cwd, "deep", "d/".repeat(200)), { recursive: true });
  const deep = await call(listFiles, { path: "deep", recursive: true }, bench);
  expect((deep.items as string[]).length).toBe(65);
});
