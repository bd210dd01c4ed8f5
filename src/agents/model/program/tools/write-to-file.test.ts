import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, toolBench } from "./tool-test-support.ts";
import { writeToFile } from "./write-to-file.ts";

it("creates a file and its directories, and tells the change with a diff", async () => {
  const bench = toolBench();
  const input = { path: "src/new/a.ts", content: "one\ntwo\n" };
  const file = join(bench.cwd, input.path);
  const change = {
    path: file,
    change: "created",
    diff: `--- /dev/null\n+++ ${file}\n@@ -0,0 +1,2 @@\n+one\n+two\n`,
  };
  expect(await writeToFile.preview!(input, bench)).toEqual([change]);
  expect(existsSync(join(bench.cwd, "src"))).toBe(false);
  expect(await writeToFile.run(input, bench)).toEqual({
    result: { type: "write_file_result", path: input.path },
    changes: [change],
  });
  expect(readFileSync(file, "utf8")).toBe(input.content);
  expect(readdirSync(join(bench.cwd, "src/new"))).toEqual(["a.ts"]);
});

it("replaces a file and keeps its rights, its byte order mark and its line ends", async () => {
  const bench = toolBench();
  const file = join(bench.cwd, "run.sh");
  writeFileSync(file, "\ufeffold\r\nold\r\n");
  chmodSync(file, 0o750);
  const { changes } = await writeToFile.run({ path: "run.sh", content: "new\nold\n" }, bench);
  expect(readFileSync(file, "utf8")).toBe("\ufeffnew\r\nold\r\n");
  expect(statSync(file).mode & 0o777).toBe(0o750);
  expect(changes).toMatchObject([{ change: "changed", diff: expect.stringContaining("-old\r\n+new\r\n") }]);
});

it("tells no change when the file already holds the content", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "a"), "same");
  const before = statSync(join(bench.cwd, "a")).ino;
  expect(await writeToFile.run({ path: "a", content: "same" }, bench)).toMatchObject({ changes: [] });
  expect(statSync(join(bench.cwd, "a")).ino).toBe(before);
});

it("replaces a binary file without a diff, and one in another encoding by UTF-8 where it has to", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "binary"), Buffer.from([1, 0, 2]));
  const { changes } = await writeToFile.run({ path: "binary", content: "text\n" }, bench);
  expect(changes).toEqual([{ path: join(bench.cwd, "binary"), change: "changed" }]);
  writeFileSync(join(bench.cwd, "old"), Buffer.from("gr\u00fcn", "latin1"));
  await writeToFile.run({ path: "old", content: "gr\u00fcner" }, bench);
  expect(readFileSync(join(bench.cwd, "old"), "latin1")).toBe("gr\u00fcner");
  await writeToFile.run({ path: "old", content: "\u20ac" }, bench);
  expect(readFileSync(join(bench.cwd, "old"), "utf8")).toBe("\u20ac");
});

it("writes through a link that stays inside, and leaves the link", async () => {
  const bench = toolBench();
  writeFileSync(join(bench.cwd, "real"), "old");
  symlinkSync("real", join(bench.cwd, "link"));
  const { changes } = await writeToFile.run({ path: "link", content: "new" }, bench);
  expect(readFileSync(join(bench.cwd, "real"), "utf8")).toBe("new");
  expect(changes).toMatchObject([{ path: join(bench.cwd, "real") }]);
});

it.each([
  ["dots", "../escaped", "outside_directory"],
  ["absolute", "/tmp/interlingua-escaped", "outside_directory"],
  ["a link to outside", "out/escaped", "outside_directory"],
  ["a link to a file outside", "out-file", "outside_directory"],
  ["a dangling link", "dangling", "not_found"],
  ["a directory", "folder", "not_a_file"],
  ["the directory itself", "", "not_a_file"],
  ["a pipe", "pipe", "not_a_file"],
  ["below a file", "file/x", "not_a_directory"],
  ["a read-only file", "read-only", "permission_denied"],
  ["a hook of git", ".git/hooks/pre-commit", "permission_denied"],
  ["a hook of git by a link", "hooks/pre-commit", "permission_denied"],
  ["the settings of a nested git", "folder/.GIT/config", "permission_denied"],
  ["git by a sign without width", ".g\u200cit/config", "permission_denied"],
  ["git by its short name", "GIT~1/config", "permission_denied"],
  ["git by dots after it", ".git. ./config", "permission_denied"],
  ["a file in the place of git", ".git", "permission_denied"],
])("%s is not written", async (_name, path, code) => {
  const bench = toolBench();
  writeFileSync(join(bench.outside, "kept"), "kept");
  symlinkSync("..", join(bench.cwd, "out"));
  symlinkSync("../kept", join(bench.cwd, "out-file"));
  symlinkSync("../escaped", join(bench.cwd, "dangling"));
  mkdirSync(join(bench.cwd, "folder"));
  mkdirSync(join(bench.cwd, ".git/hooks"), { recursive: true });
  symlinkSync(".git/hooks", join(bench.cwd, "hooks"));
  execFileSync("mkfifo", [join(bench.cwd, "pipe")]);
  writeFileSync(join(bench.cwd, "file"), "");
  writeFileSync(join(bench.cwd, "read-only"), "", { mode: 0o444 });
  const input = { path, content: "escaped" };
  expect(await call(writeToFile, input, bench)).toMatchObject({
    type: "tool_error",
    name: "write_to_file",
    code,
  });
  await expect(writeToFile.preview!(input, bench)).rejects.toMatchObject({ code });
  expect(readdirSync(bench.outside).sort()).toEqual(["kept", "project"]);
  expect(readFileSync(join(bench.outside, "kept"), "utf8")).toBe("kept");
  expect(readdirSync(join(bench.cwd, ".git/hooks"))).toEqual([]);
});

it("a name with a line break cannot put lines into the diff", async () => {
  const bench = toolBench();
  const { changes } = await writeToFile.run({ path: "a\n+++ b", content: "x\n" }, bench);
  expect(changes![0]!.diff!.split("\n")).toHaveLength(5);
});

it("leaves out a diff that is too long", async () => {
  const bench = toolBench();
  const { changes } = await writeToFile.run({ path: "a", content: "x\n".repeat(200_000) }, bench);
  expect(changes).toEqual([{ path: join(bench.cwd, "a"), change: "created" }]);
});

it("a directory that is swapped for a link while it is written to lets nothing out", async () => {
  const bench = toolBench();
  mkdirSync(join(bench.outside, "other"));
  mkdirSync(join(bench.cwd, "folder"));
  const script = `cd "$1" && while :; do mv folder away; ln -s ../other folder; rm folder; mv away folder; done`;
  const swapper = spawn("sh", ["-c", script, "swapper", bench.cwd], { stdio: "ignore" });
  try {
    const types = new Set<string>();
    for (let round = 0; round < 300 || !types.has("write_file_result"); round += 1)
      types.add((await call(writeToFile, { path: "folder/a.txt", content: `${round}` }, bench)).type);
  } finally {
    swapper.kill("SIGKILL");
    await new Promise((resolve) => swapper.once("exit", resolve));
  }
  expect(readdirSync(join(bench.outside, "other"))).toEqual([]);
});
