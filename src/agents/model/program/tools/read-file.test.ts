import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFile } from "./read-file.ts";
import { call, toolBench } from "./tool-test-support.ts";

it("reads a file by its relative and by its absolute path", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.cwd, "src"));
  writeFileSync(join(bench.cwd, "src/a.txt"), "one\r\ntwo");
  for (const path of ["src/a.txt", "./src/../src/a.txt", join(bench.cwd, "src/a.txt")])
    expect(await call(readFile, { path }, bench)).toEqual({
      type: "read_file_result",
      path,
      content: "one\r\ntwo",
    });
});

describe("a path that leaves the session's directory is refused", () => {
  const paths = {
    dots: "../secret.txt",
    "dots after a folder": "src/../../secret.txt",
    absolute: "/etc/passwd",
    "absolute, nothing there": "/etc/no-such-file/x",
    "a neighbour whose name begins alike": "../project-secret/x",
    "a link to a file": "link-to-file",
    "a link to a directory": "link-to-directory/secret.txt",
    "a link to a link": "link-to-link",
    "a new name under a linked directory": "link-to-directory/new/x",
  };
  it.each(Object.entries(paths))("%s", async (_name, path) => {
    const bench = toolBench();
    writeFileSync(join(bench.outside, "secret.txt"), "secret");
    mkdirSync(join(bench.outside, "project-secret"));
    mkdirSync(join(bench.cwd, "src"));
    symlinkSync("../secret.txt", join(bench.cwd, "link-to-file"));
    symlinkSync(bench.outside, join(bench.cwd, "link-to-directory"));
    symlinkSync("link-to-file", join(bench.cwd, "link-to-link"));
    const result = await call(readFile, { path }, bench);
    expect(result).toMatchObject({ type: "read_file_error", name: "read_file", code: "outside_directory" });
    expect(JSON.stringify(result)).not.toContain('"secret"');
  });
});

it("follows links that stay inside", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.cwd, "real"));
  writeFileSync(join(bench.cwd, "real/a.txt"), "inside");
  symlinkSync("real", join(bench.cwd, "folder"));
  symlinkSync("folder/a.txt", join(bench.cwd, "file"));
  expect(await call(readFile, { path: "file" }, bench)).toMatchObject({ content: "inside" });
  expect(await call(readFile, { path: "folder/a.txt" }, bench)).toMatchObject({ content: "inside" });
});

it.each([
  ["dangling link", "dangling", "not_found"],
  ["circle of links", "circle", "changed_meanwhile"],
  ["missing file", "missing.txt", "not_found"],
  ["file below a file", "file/below", "not_a_directory"],
  ["directory", "folder", "not_a_file"],
  ["the session's directory", ".", "not_a_file"],
  ["empty path", "", "not_a_file"],
  ["NUL", "a\0b", "invalid_argument"],
  ["name that is too long", "x".repeat(300), "invalid_argument"],
  ["path of too many names", "a/".repeat(1000), "invalid_argument"],
  ["dots of full width", "．．／secret.txt", "not_found"],
])("%s is told by its code", async (_name, path, code) => {
  const bench = toolBench();
  symlinkSync("nowhere", join(bench.cwd, "dangling"));
  symlinkSync("circle", join(bench.cwd, "circle"));
  mkdirSync(join(bench.cwd, "folder"));
  writeFileSync(join(bench.cwd, "file"), "");
  const result = await call(readFile, { path }, bench);
  expect(result).toMatchObject({ type: "read_file_error", code, error: expect.stringMatching(/\.$/) });
  expect(JSON.stringify(result)).not.toContain("/proc/self");
});

it.runIf(process.platform === "linux")("a pipe that nobody writes to does not block it", async () => {
  const bench = toolBench();
  execFileSync("mkfifo", [join(bench.cwd, "pipe")]);
  expect(await call(readFile, { path: "pipe" }, bench)).toMatchObject({ code: "not_a_file" });
});

it("keeps names apart that only look alike, and takes line breaks in names", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "caf\u00e9"), "composed");
  writeFileSync(join(bench.cwd, "two\nlines"), "broken");
  expect(await call(readFile, { path: "caf\u00e9" }, bench)).toMatchObject({ content: "composed" });
  expect(await call(readFile, { path: "two\nlines" }, bench)).toMatchObject({ content: "broken" });
});

it("says of a binary file that it is one", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "a.png"), Buffer.from([0x89, 0x50, 0, 1, 2]));
  expect(await call(readFile, { path: "a.png" }, bench)).toMatchObject({ code: "binary_file" });
});

it("reads text in another encoding byte by byte, and leaves out a byte order mark", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "old.txt"), Buffer.from("gr\u00fcn", "latin1"));
  writeFileSync(join(bench.cwd, "marked.txt"), "\ufeffgr\u00fcn");
  expect(await call(readFile, { path: "old.txt" }, bench)).toMatchObject({
    content: "gr\u00fcn",
    encoding: "latin1",
  });
  expect((await call(readFile, { path: "marked.txt" }, bench)).content).toBe("gr\u00fcn");
});

it("cuts a huge file between two characters, and tells its size", async () => {
  const bench = toolBench();
  // One byte, then characters of two: the cut falls into one.
  writeFileSync(join(bench.cwd, "long.txt"), `x${"\u00fc".repeat(2 * 1024 * 1024)}`);
  const result = await call(readFile, { path: "long.txt" }, bench);
  expect(result).toMatchObject({ truncated: true, total_bytes: 4 * 1024 * 1024 + 1 });
  expect(result.content).toBe(`x${"\u00fc".repeat(1024 * 1024 - 1)}`);
  writeFileSync(join(bench.cwd, "sparse"), "");
  truncateSync(join(bench.cwd, "sparse"), 2 ** 40);
  expect(await call(readFile, { path: "sparse" }, bench)).toMatchObject({ code: "binary_file" });
});

it("a directory that is swapped for a link while it is read gives nothing from outside", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.outside, "other"));
  writeFileSync(join(bench.outside, "other/a.txt"), "outside");
  mkdirSync(join(bench.cwd, "folder"));
  writeFileSync(join(bench.cwd, "folder/a.txt"), "inside");
  const script = `cd "$1" && while :; do mv folder away; ln -s ../other folder; rm folder; mv away folder; done`;
  const { spawn } = await import("node:child_process");
  const swapper = spawn("sh", ["-c", script, "swapper", bench.cwd], { stdio: "ignore" });
  try {
    const seen = new Map<unknown, number>();
    for (let round = 0; round < 400 || (seen.get("inside") ?? 0) === 0; round += 1) {
      const { content, code } = await call(readFile, { path: "folder/a.txt" }, bench);
      seen.set(content ?? code, (seen.get(content ?? code) ?? 0) + 1);
    }
    expect([...seen.keys()]).not.toContain("outside");
  } finally {
    swapper.kill("SIGKILL");
    await new Promise((resolve) => swapper.once("exit", resolve));
  }
});
