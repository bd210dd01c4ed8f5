import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { looseObject } from "./loose-object.ts";
import { openWorkspace } from "./open-workspace.ts";
import { readTree, runGit, SESSION, TestProject } from "./workspace-test-support.ts";

const REFS = `refs/checkpoints/${SESSION}`;

test("a checkpoint is the commit that git makes of the same words, and its repository is sound", async () => {
  using project = new TestProject({}, () => 1_700_000_000_000);
  project.write("ünï", "content\n");
  const id = await project.capture("sessiön");
  const commit = runGit(project.store, "cat-file", "commit", id);
  expect(commit.split("\n").slice(1, 3)).toEqual([
    "author checkpoint <checkpoint@localhost> 1700000000 +0000",
    "committer checkpoint <checkpoint@localhost> 1700000000 +0000",
  ]);
  expect(JSON.parse(commit.slice(commit.indexOf("\n\n")))).toMatchObject({ session: "sessiön", number: 1 });
  const copy = join(project.base, "commit");
  writeFileSync(copy, commit);
  expect(runGit(project.store, "hash-object", "-t", "commit", copy)).toBe(`${id}\n`);
  expect(statSync(looseObject(project.store, id)).mode & 0o777).toBe(0o444);
  expect(runGit(project.store, "fsck", "--strict")).not.toMatch(/error|warning|missing|broken/);
  const names = Object.keys(readTree(project.store));
  expect(names.filter((name) => /tmp_obj|\.lock$/.test(name))).toEqual([]);
});

test("a ref that a git left from an earlier daemon has locked is waited for", async () => {
  using project = new TestProject();
  project.write("a", "one\n");
  const first = await project.capture();
  const lock = join(project.store, `${REFS}/2.lock`);
  writeFileSync(lock, "");
  const second = project.capture();
  expect(await Promise.race([second, sleep(100, "waiting")])).toBe("waiting");
  rmSync(lock);
  const ids = [first, await second].map((id) => `${id}\n`);
  expect([1, 2].map((number) => readFileSync(join(project.store, REFS, `${number}`), "latin1"))).toEqual(ids);
});

test("a checkpoint never takes the place of another", async () => {
  using project = new TestProject();
  project.write("a", "one\n");
  const first = await project.capture();
  const { directory, workspaces } = project;
  const other = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  const { id } = await other.capture({ session: SESSION, directory });
  await expect(project.capture()).rejects.toThrow("is there already");
  const third = await project.capture();
  const refs = runGit(project.store, "for-each-ref", "--format=%(objectname)", `${REFS}/`).trim().split("\n");
  expect(refs).toEqual([first, id, third]);
});

test("files that a power cut left empty stop neither the next checkpoint nor packing", async () => {
  using project = new TestProject();
  project.write("a", "one\n");
  const first = await project.capture();
  project.write("a", "two\n");
  await project.capture();
  const second = runGit(project.store, "rev-parse", `${REFS}/2`).trim();
  await project.capture();
  rmSync(looseObject(project.store, second));
  writeFileSync(looseObject(project.store, second), "");
  truncateSync(join(project.store, REFS, "3"));
  truncateSync(join(project.store, "refs/roots/main"));
  const { directory, workspaces } = project;
  const later = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0, maxCheckpoints: 1 } });
  const { id } = await later.capture({ session: SESSION, directory });
  expect(project.filesOf(id)).toEqual({ a: "two\n" });
  expect(project.filesOf(first)).toEqual({ a: "one\n" });
  await later.capture({ session: "other", directory });
  await later.forget("other");
  expect(runGit(project.store, "fsck")).not.toMatch(/error|missing|broken/);
  expect(existsSync(looseObject(project.store, second))).toBe(false);
  const refs = runGit(project.store, "for-each-ref", "--format=%(objectname)", `${REFS}/`).trim().split("\n");
  expect(refs).toEqual([first, id]);
});
