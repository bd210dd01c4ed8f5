import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileLister } from "./list-files.ts";

let directory: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-files-")));
});

afterEach(() => rmSync(directory, { recursive: true }));

function write(name: string, text = ""): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
}

async function list(place = directory): Promise<string[]> {
  const { paths, isTruncated } = await openFileLister().list(place);
  expect(isTruncated).toBe(false);
  return paths.toSorted();
}

test("in a work tree: what is tracked or not ignored, relative to the directory that is asked about", async () => {
  execFileSync("git", ["init", "-q", directory]);
  write(".gitignore", "out\n");
  for (const name of ["out/x", "src/ä b.ts", "src/deep/c.ts", "top"]) write(name);
  expect(await list()).toEqual([".gitignore", "src/deep/c.ts", "src/ä b.ts", "top"]);
  expect(await list(join(directory, "src"))).toEqual(["deep/c.ts", "ä b.ts"]);
  // By its rules nothing in it would ever be listed.
  expect(await list(join(directory, "out"))).toEqual(["x"]);
});

test("no program of the repository's settings runs", async () => {
  execFileSync("git", ["init", "-q", directory]);
  const program = join(directory, "evil.sh");
  write("evil.sh", `#!/bin/sh\ntouch ${join(directory, "ran")}\n`);
  execFileSync("chmod", ["+x", program]);
  execFileSync("git", ["config", "core.fsmonitor", program], { cwd: directory });
  expect(await list()).toEqual(["evil.sh"]);
});

test("elsewhere a walk that follows no link and leaves out what nobody wrote", async () => {
  for (const name of ["a", "b/c", ".env", ".git-like/x", "node_modules/y/z", "b/__pycache__/q"]) write(name);
  symlinkSync("/", join(directory, "everything"));
  expect(await list()).toEqual([".env", "a", "b/c", "everything"]);
  await expect(openFileLister().list(join(directory, "missing"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("what was listed a moment ago is given again, and then looked for", async () => {
  let now = 0;
  const lister = openFileLister(() => now);
  write("one");
  expect((await lister.list(directory)).paths).toEqual(["one"]);
  write("two");
  expect((await lister.list(directory)).paths).toEqual(["one"]);
  now = 10_000;
  expect((await lister.list(directory)).paths.toSorted()).toEqual(["one", "two"]);
});
