import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { TestProject } from "./workspace-test-support.ts";

test("tells what was added, changed and deleted, with numbers and diffs", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  project.write("changed.txt", "one\ntwo\nthree\n");
  project.write("deleted.txt", "gone\n");
  project.write("same.txt", "same\n");
  project.write("mode.sh", "#!/bin/sh\n");
  project.write("becomes-link", "a file\n");
  project.write("bytes.bin", Buffer.from([0, 1, 2, 3]));
  const from = await project.capture();
  project.write("changed.txt", "one\n2\nthree\nfour\n");
  project.remove("deleted.txt");
  project.write("added/new.txt", "new\nfile\n");
  project.write("mode.sh", "#!/bin/sh\n", 0o755);
  project.remove("becomes-link");
  symlinkSync("same.txt", project.path("becomes-link"));
  project.write("bytes.bin", Buffer.from([0, 1, 2, 4]));
  const to = await project.capture();
  const changes = await workspace.compare({ directory, from, to, withBase: true });
  const byPath = Object.fromEntries(changes.map((change) => [change.path, change]));
  expect(Object.keys(byPath)).toEqual([
    "added/new.txt",
    "becomes-link",
    "bytes.bin",
    "changed.txt",
    "deleted.txt",
    "mode.sh",
  ]);
  expect(byPath["added/new.txt"]).toMatchObject({ status: "added", additions: 2, deletions: 0 });
  expect(byPath["added/new.txt"]).not.toHaveProperty("base");
  expect(byPath["changed.txt"]).toMatchObject({
    status: "modified",
    additions: 2,
    deletions: 1,
    base: "one\ntwo\nthree\n",
  });
  expect(byPath["changed.txt"]?.diff).toContain("@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n");
  expect(byPath["deleted.txt"]).toMatchObject({
    status: "deleted",
    additions: 0,
    deletions: 1,
    base: "gone\n",
  });
  expect(byPath["mode.sh"]).toMatchObject({ status: "modified", additions: 0, deletions: 0 });
  expect(byPath["mode.sh"]?.diff).toContain("new mode 100755");
  expect(byPath["becomes-link"]?.status).toBe("modified");
  expect(byPath["becomes-link"]?.diff).toContain("new file mode 120000");
  expect(byPath["bytes.bin"]).toEqual({
    path: "bytes.bin",
    status: "modified",
    additions: 0,
    deletions: 0,
    binary: true,
  });
  expect(await workspace.compare({ directory, from: to, to })).toEqual([]);
});

test("only the paths that were asked for", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const from = await project.capture();
  for (const path of ["a/x", "a/y", "ab/x", "b"]) project.write(path, `${path}\n`);
  const to = await project.capture();
  const pathsOf = async (paths: string[]) =>
    (await workspace.compare({ directory, from, to, paths })).map(({ path, diff }) => [
      path,
      diff?.includes(path),
    ]);
  expect(await pathsOf(["a/"])).toEqual([
    ["a/x", true],
    ["a/y", true],
  ]);
  expect(await pathsOf(["ab/x", "b"])).toEqual([
    ["ab/x", true],
    ["b", true],
  ]);
  expect(await pathsOf(["nowhere"])).toEqual([]);
});

test("a carriage return before the words of a diff does not move diffs to other files", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  project.write("a.txt", "one\n");
  project.write("b.txt", "one\n");
  const from = await project.capture();
  project.write("a.txt", "two\rdiff --git a/x b/x\n");
  project.write("b.txt", "two\n");
  const to = await project.capture();
  const [a, b] = await workspace.compare({ directory, from, to });
  expect(a).toMatchObject({ path: "a.txt", diff: expect.stringContaining("+two\rdiff --git a/x b/x\n") });
  expect(b).toMatchObject({
    path: "b.txt",
    diff: expect.stringMatching(/^diff --git a\/b\.txt [\s\S]*\n\+two\n$/),
  });
});

test("what is too large to show has no diff and says so, and the others still have theirs", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  project.write("large.txt", "x\n".repeat(800_000));
  const from = await project.capture();
  project.write("large.txt", "y\n".repeat(800_000));
  project.write("long.txt", "long line\n".repeat(40_000));
  for (let at = 0; at < 40; at += 1) project.write(`many/${at}.txt`, `${"z".repeat(70)}\n`.repeat(3500));
  project.write("a.txt", "small\n");
  const to = await project.capture();
  const changes = await workspace.compare({ directory, from, to, withBase: true });
  const find = (path: string) => changes.find((change) => change.path === path);
  expect(find("a.txt")?.diff).toContain("+small");
  expect(find("large.txt")).toEqual({
    path: "large.txt",
    status: "modified",
    additions: 0,
    deletions: 0,
    tooLarge: true,
  });
  expect(find("long.txt")).toEqual({
    path: "long.txt",
    status: "added",
    additions: 40_000,
    deletions: 0,
    tooLarge: true,
  });
  const many = changes.filter(({ path }) => path.startsWith("many/"));
  expect(many).toHaveLength(40);
  expect(many.every(({ diff, tooLarge }) => (diff === undefined) === (tooLarge === true))).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(changes))).toBeLessThan(10 * 2 ** 20);
});

test("a checkpoint that is not there is told, and its id is never taken for an option", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const from = await project.capture();
  await expect(workspace.compare({ directory, from, to: "0".repeat(40) })).rejects.toThrow(
    "There is no checkpoint",
  );
  await expect(workspace.compare({ directory, from, to: "--output=x" })).rejects.toThrow("not the id");
  await expect(workspace.compare({ directory: project.base, from, to: from })).rejects.toThrow(
    "no checkpoints of",
  );
});

test("the paths that differ are found for many pairs at once, whatever they are called", async () => {
  using project = new TestProject();
  const { directory, workspace, workspaces } = project;
  project.write("a", "a\n");
  const first = await project.capture();
  project.write(":000000 line\nbreak", "b\n");
  const second = await project.capture();
  const same = await project.capture();
  project.remove("a");
  project.write("a/b", "c\n");
  const third = await project.capture();
  const pairs = [
    { from: first, to: third },
    { from: first, to: second },
    { from: second, to: same },
    { from: third, to: first },
    { from: third, to: third },
  ];
  const added = ":000000 line\nbreak";
  const expected = [[added, "a", "a/b"], [added], [], [added, "a", "a/b"], []];
  // A new one knows no trees.
  for (const each of [workspace, openWorkspace({ directory: workspaces })])
    expect(await each.findChangedPaths({ directory, pairs })).toEqual(expected);
});

test("no paths are made up for a checkpoint that is not there", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  project.write("a", "a\n");
  const there = await project.capture();
  const find = (from: string, to: string) =>
    workspace.findChangedPaths({
      directory,
      pairs: [
        { from, to },
        { from: there, to: there },
        { from, to },
      ],
    });
  const missing = "1".repeat(40);
  await expect(find(there, missing)).rejects.toThrow(`There is no checkpoint ${missing}`);
  await expect(find(missing, there)).rejects.toThrow(missing);
  await expect(find(there, "--output=x")).rejects.toThrow("not the id");
});
