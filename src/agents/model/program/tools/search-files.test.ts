import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { searchFiles } from "./search-files.ts";
import { call, toolBench } from "./tool-test-support.ts";

function project(files: Record<string, string | Buffer>) {
  const bench = toolBench();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(bench.cwd, path, ".."), { recursive: true });
    writeFileSync(join(bench.cwd, path), content);
  }
  return bench;
}

it("finds lines, with their files and numbers", async () => {
  const bench = project({ "src/a.ts": "one\r\nTwo two\r\n", "b.md": "two\n", "c.bin": Buffer.from("two\0") });
  expect(await call(searchFiles, { path: ".", regex: "two$" }, bench)).toEqual({
    type: "search_files_result",
    path: ".",
    results: [
      { path: "b.md", line: 1, text: "two" },
      { path: "src/a.ts", line: 2, text: "Two two" },
    ],
  });
  expect((await call(searchFiles, { path: "src", regex: "(?i)^two" }, bench)).results).toEqual([
    { path: "src/a.ts", line: 2, text: "Two two" },
  ]);
});

it.each([
  ["*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
  ["src/**/*.ts", ["src/b.ts", "src/deep/c.ts"]],
  ["*.{md,ts}", ["a.ts", "d.md", "src/b.ts", "src/deep/c.ts"]],
  ["nothing", []],
])("takes only files like %s", async (file_pattern, paths) => {
  const bench = project({ "a.ts": "x", "src/b.ts": "x", "src/deep/c.ts": "x", "d.md": "x" });
  const { results } = await call(searchFiles, { path: ".", regex: "x", file_pattern }, bench);
  expect((results as { path: string }[]).map(({ path }) => path)).toEqual(paths);
});

it("enters neither links nor pipes nor what tools made", async () => {
  const bench = project({ "node_modules/p/a.js": "secret", ".git/a": "secret" });
  writeFileSync(join(bench.outside, "a"), "secret");
  symlinkSync("..", join(bench.cwd, "out"));
  symlinkSync("../a", join(bench.cwd, "link"));
  execFileSync("mkfifo", [join(bench.cwd, "pipe")]);
  expect(await call(searchFiles, { path: ".", regex: "secret" }, bench)).toMatchObject({ results: [] });
  expect(await call(searchFiles, { path: "out", regex: "secret" }, bench)).toMatchObject({
    type: "search_files_error",
    code: "outside_directory",
  });
});

it("says of a regular expression that it is not valid", async () => {
  expect(await call(searchFiles, { path: ".", regex: "(" }, toolBench())).toMatchObject({
    type: "search_files_error",
    code: "invalid_argument",
    error: expect.stringContaining("not valid"),
  });
});

it("a regular expression that would take for ever is given up", async () => {
  const bench = project({ "a.txt": `${"a".repeat(60)}!` });
  expect(await call(searchFiles, { path: ".", regex: "^(a+)+$" }, bench)).toMatchObject({
    code: "timeout",
    error: expect.stringMatching(/^The regular expression .* takes too long/),
  });
});

it("a search that hangs ends when the turn is stopped", async () => {
  const controller = new AbortController();
  const bench = { ...project({ "a.txt": `${"a".repeat(60)}!` }), signal: controller.signal };
  const running = call(searchFiles, { path: ".", regex: "^(a+)+$" }, bench);
  setTimeout(() => controller.abort(), 200);
  expect(await running).toMatchObject({ code: "aborted" });
});

it("bounds results and the length of lines", async () => {
  const bench = project({
    "long.txt": `${"x".repeat(5000)}needle${"y".repeat(5000)}`,
    "many.txt": "needle\n".repeat(1000),
  });
  const result = await call(searchFiles, { path: ".", regex: "needle" }, bench);
  const results = result.results as { path: string; text: string }[];
  expect(result).toMatchObject({ truncated: true });
  expect(results).toHaveLength(200);
  expect(results[0]).toMatchObject({
    path: "long.txt",
    line: 1,
    text: `${"x".repeat(50)}needle${"y".repeat(244)}`,
  });
});
