import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { exportCheckpoints } from "./checkpoint-archive.ts";
import type { CheckpointRef } from "./checkpoint-refs.ts";
import { noteGarbage, selectExpired, selectSurplus } from "./collect-garbage.ts";
import { GitError } from "./git.ts";
import { looseObject } from "./loose-object.ts";
import { openWorkspace } from "./open-workspace.ts";
import { readTree, runGit, SESSION, TestProject } from "./workspace-test-support.ts";

const DAY_MS = 24 * 3600 * 1000;

function checkpoint(session: string, number: number, at: number): CheckpointRef {
  return { ref: `refs/checkpoints/${session}/${number}`, id: `${session}-${number}`, session, number, at };
}

test("what is too old or too much expires; the first, the latest and what is kept stay", () => {
  const now = 100 * DAY_MS;
  const checkpoints = [
    ...[10, 20, 30, 80, 99].map((day, at) => checkpoint("a", at + 1, day * DAY_MS)),
    ...[1, 2].map((day, at) => checkpoint("b", at + 1, day * DAY_MS)),
    ...[95, 96, 97, 98, 99].map((day, at) => checkpoint("c", at + 1, day * DAY_MS)),
  ];
  const idsOf = (maxCheckpoints: number) =>
    selectExpired(checkpoints, { maxAgeMs: 30 * DAY_MS, maxCheckpoints }, new Set(["a-3"]), now).map(
      ({ id }) => id,
    );
  expect(idsOf(200)).toEqual(["a-2"]);
  expect(idsOf(3)).toEqual(["a-2", "a-4", "c-2", "c-3"]);
});

test("a garbage collection drops old checkpoints and packs the rest; all that stays can be restored", async () => {
  let day = 0;
  using project = new TestProject({ maxAgeMs: 30 * DAY_MS }, () => day * DAY_MS + 1_700_000_000_000);
  const ids: string[] = [];
  for (day = 0; day <= 60; day += 20) {
    for (let at = 0; at < 30; at += 1) project.write(`f${at}`, `day ${day}, file ${at}\n`);
    ids.push(await project.capture());
  }
  day = 60;
  const tree = readTree(project.directory);
  project.write("f0", "after\n");
  const last = await project.capture();
  const before = Object.keys(readTree(project.store)).length;
  const { directory, workspace } = project;
  await workspace.keep({ session: SESSION, directory, checkpoint: ids[2]! });
  await workspace.keep({ session: SESSION, directory, checkpoint: ids[1]! });
  expect((await workspace.collectGarbage()).dropped).toBe(0);
  day = 120;
  expect((await workspace.collectGarbage()).dropped).toBe(2);
  expect(await workspace.findKept(directory, [...ids, last])).toEqual(new Set([ids[0], ids[1], last]));
  expect(Object.keys(readTree(project.store)).length).toBeLessThan(before);
  expect(
    readdirSync(join(project.store, "objects/pack")).filter((name) => name.endsWith(".pack")),
  ).toHaveLength(1);
  await expect(workspace.compare({ directory, from: ids[2]!, to: last })).rejects.toThrow("no longer");
  for (const from of [ids[0]!, ids[1]!]) {
    expect(await workspace.compare({ directory, from, to: last })).toHaveLength(30);
  }
  const next = await project.capture();
  await project.restore(ids[0]!, [[ids[0]!, next]], "refuse");
  expect(project.read("f7")).toBe("day 0, file 7\n");
  expect(Object.keys(readTree(project.directory))).toEqual(Object.keys(tree));
});

test("what killed processes left is removed, and a lock of theirs stops nobody", async () => {
  using project = new TestProject();
  project.write("a", "content\n");
  await project.capture();
  const left = [
    "objects/pack/tmp_pack_abc",
    "objects/12/tmp_obj_abc",
    "packed-refs.lock",
    "roots/main/index.1.scratch",
  ];
  mkdirSync(join(project.store, "objects/12"), { recursive: true });
  for (const name of left) writeFileSync(join(project.store, name), "left");
  await project.workspace.collectGarbage();
  expect(left.filter((name) => existsSync(join(project.store, name)))).toEqual([]);
  await project.capture();
});

test("a checkpoint that is asked for during a garbage collection is made, and nothing is lost", async () => {
  using project = new TestProject({ maxCheckpoints: 3 });
  for (let at = 0; at < 200; at += 1) project.write(`f${at}`, `${at}\n`.repeat(200));
  for (let at = 0; at < 5; at += 1) {
    project.write("a", `${at}\n`);
    await project.capture();
  }
  const [, id] = await Promise.all([project.workspace.collectGarbage(), project.capture()]);
  expect(Object.keys(project.filesOf(id))).toHaveLength(201);
  await project.workspace.collectGarbage();
  expect(runGit(project.store, "fsck")).not.toContain("missing");
  expect(Object.keys(project.filesOf(id))).toHaveLength(201);
});

test("a session that is deleted takes its checkpoints with it, and the last one the repository", async () => {
  using project = new TestProject();
  const { workspace, directory } = project;
  project.write("secret", "only in the first session's checkpoints\n");
  const first = await project.capture("one/../strange id");
  project.remove("secret");
  project.write("a", "content\n");
  const second = await project.capture("two");
  await workspace.forget("one/../strange id");
  expect((await workspace.usage())[0]).toMatchObject({ checkpoints: 1 });
  await workspace.collectGarbage();
  await expect(workspace.compare({ directory, from: first, to: second })).rejects.toThrow(
    "There is no checkpoint",
  );
  const objects = runGit(project.store, "cat-file", "--batch-all-objects", "--batch-check");
  expect(objects.match(/ blob /g)).toHaveLength(1);
  expect(project.filesOf(second)).toEqual({ a: "content\n" });
  await workspace.forget("never seen");
  await workspace.forget("two");
  expect(readdirSync(project.workspaces)).toEqual([]);
  expect(await workspace.usage()).toEqual([]);
  expect(project.filesOf(await project.capture(SESSION))).toEqual({ a: "content\n" });
});

test("what takes too much room goes: the oldest first, in the end all but the newest", () => {
  const checkpoints = [
    ...[10, 30, 50, 70].map((day, at) => checkpoint("a", at + 1, day * DAY_MS)),
    ...[20, 40, 60].map((day, at) => checkpoint("b", at + 1, day * DAY_MS)),
  ];
  const order: string[] = [];
  let left = checkpoints;
  while (left.length > 1) {
    const surplus = selectSurplus(left, new Set(["a-2"]));
    order.push(...surplus.map(({ id }) => id));
    left = left.filter((each) => !surplus.includes(each));
  }
  expect(order).toEqual(["b-2", "a-3", "a-1", "b-1", "a-2", "b-3"]);
});

test("checkpoints that take too much room are dropped, and the directory gets new ones again", async () => {
  // For the last one, and for what git's index still names.
  const maxKeptBytes = 250_000;
  using project = new TestProject({ maxKeptBytes });
  const { directory, workspace } = project;
  const ids: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    project.write("noise", randomBytes(100_000));
    ids.push(await project.capture());
  }
  const last = project.read("noise");
  expect((await workspace.collectGarbage()).dropped).toBeGreaterThanOrEqual(4);
  const [usage] = await workspace.usage();
  expect(usage).toMatchObject({ directory });
  expect(usage!.bytes).toBeLessThan(maxKeptBytes);
  expect((await workspace.findKept(directory, ids)).has(ids.at(-1)!)).toBe(true);
  expect(runGit(project.store, "fsck")).not.toContain("missing");
  const next = await project.capture();
  expect(project.filesOf(next)).toEqual({ noise: last });
});

test("a directory whose checkpoints take far too much gets no new one, and says so", async () => {
  using project = new TestProject({ maxKeptBytes: 1 });
  project.write("a", "content\n");
  await expect(project.capture()).rejects.toThrow("take more than");
});

test("a checkpoint that could not be published leaves nothing behind that a garbage collection takes from the next one", async () => {
  using project = new TestProject({ maxCheckpoints: 2 });
  project.write("a", "content\n");
  const first = await project.capture();
  for (const _ of [2, 3]) await project.capture();
  for (let at = 0; at < 600; at += 1) project.write(`many/${at}`, `content ${at}\n`);
  const refs = join(project.store, "refs/checkpoints/session-1");
  writeFileSync(join(refs, "4.lock"), "");
  await expect(project.capture()).rejects.toThrow("4.lock");
  rmSync(join(refs, "4.lock"));
  expect((await project.workspace.collectGarbage()).dropped).toBe(1);
  const second = await project.capture();
  expect(runGit(project.store, "fsck", "--full")).not.toMatch(/missing|broken/);
  expect(Object.keys(project.filesOf(second))).toHaveLength(601);
  project.remove("many");
  const third = await project.capture();
  const { kept } = await project.restore(second, [[second, third]]);
  expect([kept, project.read("many/599")]).toEqual([[], "content 599\n"]);
  expect(Object.keys(project.filesOf(first))).toEqual(["a"]);
});

/** Two directories with a checkpoint each. The first store is the one that is looked after first. */
async function makeStores(project: TestProject): Promise<[first: string, second: string]> {
  const other = join(project.base, "other");
  mkdirSync(other);
  writeFileSync(join(other, "a"), "content\n");
  project.write("a", "content\n");
  await project.capture();
  await project.workspace.capture({ session: SESSION, directory: other });
  const [first, second] = readdirSync(project.workspaces).map((name) => join(project.workspaces, name));
  return [first!, second!];
}

function directoryOfStore(store: string): string {
  return readFileSync(join(store, "directory"), "utf8").trim();
}

test("a damaged repository does not stop the garbage collection of the others", async () => {
  using project = new TestProject();
  const stores = await makeStores(project);
  const [damaged, whole] = stores;
  for (const store of stores) await noteGarbage(store);
  const blob = runGit(damaged, "hash-object", join(project.directory, "a")).trim();
  rmSync(looseObject(damaged, blob));
  writeFileSync(looseObject(damaged, blob), "damaged");
  const { failed } = await project.workspace.collectGarbage();
  expect(failed).toEqual([
    { directory: directoryOfStore(damaged), problem: expect.stringMatching(/^git repack ended with 128: /) },
  ]);
  expect(failed[0]!.problem).toContain(`take ${damaged} from a backup, or delete it`);
  expect(stores.map((store) => existsSync(join(store, "has-garbage")))).toEqual([true, false]);
  expect(readdirSync(join(whole, "objects/pack")).some((name) => name.endsWith(".pack"))).toBe(true);
});

test("a damaged repository does not keep the checkpoints that a deleted session has in others", async () => {
  using project = new TestProject();
  const [damaged, whole] = await makeStores(project);
  writeFileSync(join(damaged, "packed-refs"), "damaged\n");
  await expect(project.workspace.forget(SESSION)).rejects.toThrow(GitError);
  expect([damaged, whole].map((store) => existsSync(store))).toEqual([true, false]);
});

test("all damaged repositories are told of, and the sizes of the others too", async () => {
  using project = new TestProject();
  const [damaged, whole] = await makeStores(project);
  const [one, other] = [damaged, whole].map(directoryOfStore);
  const problem = expect.stringContaining("packed-refs");
  const bytes = expect.any(Number);
  writeFileSync(join(damaged, "packed-refs"), "damaged\n");
  expect(new Set(await project.workspace.usage())).toEqual(
    new Set([
      { directory: one, bytes, problem },
      { directory: other, bytes, checkpoints: 1 },
    ]),
  );
  writeFileSync(join(whole, "packed-refs"), "damaged\n");
  rmSync(join(whole, "directory"));
  expect(await project.workspace.collectGarbage()).toEqual({
    dropped: 0,
    failed: [
      { directory: one, problem },
      // It no longer says whose it is.
      { directory: whole, problem },
    ],
  });
  await expect(project.workspace.forget(SESSION)).rejects.toThrow(
    "The checkpoints of 2 directories failed, first: ",
  );
});

test("what is said to help against a damaged repository helps: deleted, it is made again while the workspace is open", async () => {
  using project = new TestProject();
  project.write("a", "content\n");
  const lost = await project.capture();
  writeFileSync(join(project.store, "packed-refs"), "damaged\n");
  const { failed } = await project.workspace.collectGarbage();
  expect(failed[0]?.problem).toContain(`${project.store} from a backup, or delete it`);
  rmSync(project.store, { recursive: true });
  const id = await project.capture();
  expect(project.filesOf(id)).toEqual({ a: "content\n" });
  expect(await project.workspace.findKept(project.directory, [lost, id])).toEqual(new Set([id]));
  expect(await project.workspace.collectGarbage()).toEqual({ dropped: 0, failed: [] });
});

test("a garbage collection that is aborted rejects, and names no directory", async () => {
  using project = new TestProject();
  await makeStores(project);
  const reason = new Error("the daemon is stopping");
  await expect(project.workspace.collectGarbage(AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("a directory gets checkpoints again after its repository was left half deleted", async () => {
  using project = new TestProject();
  project.write("a", "content\n");
  await project.capture();
  rmSync(join(project.store, "HEAD"));
  const { directory, workspaces } = project;
  const next = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  const { id } = await next.capture({ session: SESSION, directory });
  expect(readdirSync(workspaces)).toHaveLength(1);
  expect(project.filesOf(id)).toEqual({ a: "content\n" });
});

test("a repository that is just being made is no repository yet, and one that was left half made goes", async () => {
  using project = new TestProject();
  const { directory, workspaces, workspace } = project;
  project.write("a", "content\n");
  await project.capture();
  const store = project.store;
  const half = `${store}.0123456789ab.scratch`;
  mkdirSync(half);
  runGit(half, "init", "-q", "--bare", ".");
  expect(await workspace.usage()).toEqual([expect.objectContaining({ directory, checkpoints: 1 })]);
  await workspace.collectGarbage();
  expect(await exportCheckpoints(workspaces, join(project.base, "archive"))).toEqual({
    checkpoints: 1,
    directories: 1,
  });
  expect(existsSync(half)).toBe(true);
  const next = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  expect((await next.collectGarbage()).dropped).toBe(0);
  expect(readdirSync(workspaces)).toEqual([basename(store)]);
});
