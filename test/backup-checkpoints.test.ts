/** Backups of checkpoints: taken while agents work and old ones are dropped, restored, and used. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../src/cli/test-support.ts";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { Interlingua, type Session } from "../src/sdk/index.ts";
import { AFTER, BEFORE, Project } from "./undo/project.ts";

let project: Project;
let daemon: Daemon;
let client: Interlingua;
let session: Session;
let file: string;

beforeEach(async () => {
  project = new Project();
  file = `${project.data}-backup.db`;
  await start(project.data);
  session = await client.sessions.create({ agent: "mock", cwd: project.root, options: { pace: 0 } });
});

afterEach(async () => {
  await stop();
  project[Symbol.dispose]();
});

async function start(data: string, limits: Record<string, number> = {}): Promise<void> {
  daemon = await startDaemon({ port: 0, data, roots: [project.root], checkpoints: "on", limits });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
}

async function stop(): Promise<void> {
  await client.dispose();
  await daemon.close();
}

const backUp = (...more: string[]) => run(["backup", file, "--data", project.data, ...more]);
const restore = (target: string, ...more: string[]) =>
  run(["backup", "restore", file, "--data", target, ...more]);

test("what was undoable when the backup was taken is undoable again", async () => {
  await session.prompt("scenario:files").text();
  await session.approve();
  const taken = await session.checkpoints();
  const backup = await backUp("--json");
  expect(JSON.parse(backup.stdout)).toMatchObject({ sessions: 1, checkpoints: 4 });
  expect(statSync(`${file}.checkpoints`).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(project.data, "..")).filter((name) => name.includes("partial"))).toEqual([]);
  await session.prompt("scenario:files").text();
  await stop();

  const target = `${project.data}-restored`;
  expect(JSON.parse((await restore(target, "--json")).stdout)).toMatchObject({ checkpoints: 4 });
  await start(target);
  session = client.sessions.handle(session.id);
  expect(await session.checkpoints()).toEqual(taken);
  // The turn that came after the backup is nobody's that this session knows of.
  await expect(session.restore({ checkpoint: taken[0]!.id })).rejects.toMatchObject({
    code: "workspace_conflict",
  });
  project.write("mock-written.txt", AFTER[0]!);
  project.write("mock-by-shell.txt", AFTER[1]!);
  const restored = await session.restore({ checkpoint: taken[0]!.id });
  expect(project.files).toEqual(BEFORE);
  await session.restore({ checkpoint: restored.checkpoint! });
  expect(project.files).toEqual(AFTER);
  await session.prompt("scenario:files").text();
  expect((await session.changes()).map(({ path }) => path)).toEqual([
    "mock-by-shell.txt",
    "mock-written.txt",
  ]);
});

test("into a data directory that has newer checkpoints they are added, and nothing there is lost", async () => {
  await session.prompt("scenario:files").text();
  expect((await backUp()).code).toBe(0);
  const other = await client.sessions.create({ agent: "mock", cwd: project.root, options: { pace: 0 } });
  await other.prompt("scenario:files").text();
  const { workspaces } = await client.workspaces.usage();
  await stop();
  expect((await restore(project.data, "--force")).code).toBe(0);
  await start(project.data);
  expect((await client.workspaces.usage()).workspaces[0]?.checkpoints).toBe(workspaces[0]?.checkpoints);
});

test("backups that are taken while agents work and old checkpoints go are whole", {
  timeout: 180_000,
}, async () => {
  await session.prompt("scenario:files").text();
  await stop();
  await start(project.data, { maxCheckpoints: 4, checkpointUpkeepMs: 20 });
  session = client.sessions.handle(session.id);
  let isOver = false;
  const working = (async () => {
    for (let turn = 0; turn < 4 || !isOver; turn += 1) await session.prompt("scenario:files").text();
  })();
  working.catch(() => {});
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await backUp("--force")).toMatchObject({ code: 0, stderr: "" });
    const target = `${project.data}-restored-${attempt}`;
    expect(await restore(target)).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(target, "workspaces"))).toBe(true);
  }
  isOver = true;
  await working;
  await stop();
  await start(`${project.data}-restored-2`);
  session = client.sessions.handle(session.id);
  // A prompt that waited when the backup was taken runs now.
  await expect
    .poll(() => session.details(), { timeout: 60_000 })
    .toMatchObject({ status: "idle", queued: 0 });
  const kept = (await session.checkpoints()).filter(({ dropped }) => !dropped);
  expect(kept.length).toBeGreaterThanOrEqual(2);
  await session.reset({ onConflict: "overwrite" });
  expect(project.files).toEqual(BEFORE);
});

test("a damaged file of checkpoints changes nothing", async () => {
  await session.prompt("scenario:files").text();
  expect((await backUp()).code).toBe(0);
  const bytes = readFileSync(`${file}.checkpoints`);
  const at = bytes.indexOf("PACK");
  bytes[at + 100]! ^= 1;
  writeFileSync(`${file}.checkpoints`, bytes);
  const target = `${project.data}-restored`;
  const { code, stderr } = await restore(target);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/checkpoints is damaged, so nothing was changed.*Give another backup/),
  });
  expect(existsSync(join(target, "interlingua.db"))).toBe(false);
  expect(readdirSync(join(target, "workspaces"))).toEqual([]);
});

test("without checkpoints there is one file", async () => {
  await session.delete();
  expect(JSON.parse((await backUp("--json")).stdout)).toMatchObject({ checkpoints: 0 });
  expect(existsSync(`${file}.checkpoints`)).toBe(false);
});
