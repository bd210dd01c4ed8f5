/** Checkpoints that are old or too many go, and what is left still works. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { Interlingua, type Session } from "../../src/sdk/index.ts";
import { until } from "../../src/testkit/until.ts";
import { Project } from "./project.ts";

let project: Project;
let daemon: Daemon;
let client: Interlingua;
let session: Session;

async function start(limits: Record<string, number>): Promise<void> {
  const { data, root } = project;
  daemon = await startDaemon({ port: 0, data, roots: [root], checkpoints: "on", limits });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
}

beforeEach(async () => {
  project = new Project();
  await start({ maxCheckpoints: 3, checkpointUpkeepMs: 0 });
  session = await client.sessions.create({ agent: "mock", cwd: project.root, options: { pace: 0 } });
});

afterEach(async () => {
  await client.dispose();
  await daemon.close();
  project[Symbol.dispose]();
});

const read = () => project.read("mock-written.txt");

test("a checkpoint that was dropped is called so, and nothing goes back to it", async () => {
  for (let turn = 0; turn < 3; turn += 1) await session.prompt("scenario:files").text();
  const before = await session.checkpoints();
  expect(before).toHaveLength(7);
  expect(before.some(({ dropped }) => dropped)).toBe(false);
  expect(await client.workspaces.collectGarbage()).toMatchObject({ dropped: 4 });
  const after = await session.checkpoints();
  expect(after.map(({ dropped }) => dropped === true)).toEqual([false, true, true, true, true, false, false]);
  await expect(session.restore({ checkpoint: after[1]!.id })).rejects.toMatchObject({
    code: "checkpoint_not_found",
    status: 404,
    message: expect.stringContaining("no longer kept"),
  });
  await expect(session.changes({ since: after[2]!.id })).rejects.toMatchObject({
    code: "checkpoint_not_found",
  });
  await expect(session.changes({ turn: after[1]!.turn })).rejects.toMatchObject({
    code: "checkpoint_not_found",
  });
  expect(await session.changes({ turn: after[5]!.turn })).toHaveLength(2);
});

test("across dropped checkpoints nobody knows who changed a file: it is a conflict, and can be overwritten", async () => {
  for (let turn = 0; turn < 3; turn += 1) await session.prompt("scenario:files").text();
  await client.workspaces.collectGarbage();
  const [first, , , , , last] = await session.checkpoints();
  expect((await session.changes()).map(({ path }) => path)).toEqual([
    "mock-by-shell.txt",
    "mock-removed.txt",
    "mock-written.txt",
  ]);
  await expect(session.restore({ checkpoint: first!.id })).rejects.toMatchObject({
    code: "workspace_conflict",
    paths: ["mock-by-shell.txt", "mock-removed.txt", "mock-written.txt"],
  });
  // What came after them is known.
  await session.restore({ checkpoint: last!.id });
  expect(read()).toBe("line 1\nline 2\n");
  const overwritten = await session.restore({ checkpoint: first!.id, onConflict: "overwrite" });
  expect(read()).toBeUndefined();
  expect(project.read("mock-removed.txt")).toBe("old\n");
  await session.restore({ checkpoint: overwritten.checkpoint! });
  expect(read()).toBe("line 1\nline 2\n");
});

test("looking at previews, and being refused, costs no checkpoint", async () => {
  await session.prompt("scenario:files").text();
  const count = async () => (await client.workspaces.usage()).workspaces[0]?.checkpoints;
  expect(await count()).toBe(3);
  for (let time = 0; time < 5; time += 1) await session.reset({ preview: true, onConflict: "merge" });
  project.write("mock-written.txt", "mine\n");
  await expect(session.reset()).rejects.toMatchObject({ code: "workspace_conflict" });
  expect(await count()).toBe(3);
  await session.reset({ onConflict: "overwrite" });
  expect(await count()).toBe(5);
});

test("what was approved stays, so reset still works", async () => {
  await session.prompt("scenario:files").text();
  await session.approve();
  for (let turn = 0; turn < 3; turn += 1) await session.prompt("scenario:files").text();
  await client.workspaces.collectGarbage();
  const approved = (await session.checkpoints()).find(({ kind }) => kind === "approved");
  expect(approved?.dropped).toBeUndefined();
  await session.reset({ onConflict: "overwrite" });
  expect(read()).toBe("line 1\n");
});

test("after the folder of the checkpoints was deleted an approval is possible, and changes and reset work again", async () => {
  await session.prompt("scenario:files").text();
  const workspaces = join(project.data, "workspaces");
  for (const name of readdirSync(workspaces)) rmSync(join(workspaces, name), { recursive: true });
  await expect(session.changes()).rejects.toMatchObject({
    code: "checkpoint_not_found",
    message: expect.stringContaining("those of this directory were deleted"),
  });
  await expect(session.reset()).rejects.toMatchObject({ code: "checkpoint_not_found" });
  expect(await session.approve()).toMatchObject({ changes: 0 });
  expect(await session.changes()).toEqual([]);
  await session.prompt("scenario:files").text();
  expect((await session.changes()).map(({ path }) => path)).toEqual([
    "mock-by-shell.txt",
    "mock-written.txt",
  ]);
  await session.reset();
  expect(read()).toBe("line 1\n");
});

test("the daemon drops them by itself", async () => {
  for (let turn = 0; turn < 3; turn += 1) await session.prompt("scenario:files").text();
  await client.dispose();
  await daemon.close();
  await start({ maxCheckpoints: 3, checkpointUpkeepMs: 50 });
  session = client.sessions.handle(session.id);
  await until(async () => (await session.checkpoints()).filter(({ dropped }) => dropped).length === 4);
  await session.prompt("scenario:files").text();
  expect(read()).toBe("line 1\nline 2\nline 3\nline 4\n");
});

test("a daemon without checkpoints deletes those of a session all the same", async () => {
  await session.prompt("scenario:files").text();
  await client.dispose();
  await daemon.close();
  const { data, root } = project;
  daemon = await startDaemon({ port: 0, data, roots: [root], checkpoints: "off" });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
  expect((await client.workspaces.usage()).workspaces).toHaveLength(1);
  await client.sessions.handle(session.id).delete();
  expect((await client.workspaces.usage()).workspaces).toEqual([]);
});
