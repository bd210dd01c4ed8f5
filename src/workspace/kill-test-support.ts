/** Kills a process at each step of what it does with a workspace, and looks whether the next one finds all in order. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { DyingWorkspaceRequest } from "./fixtures/dying-workspace.ts";
import { openWorkspace } from "./open-workspace.ts";
import { readRepository, readTree, runGit, SESSION, TestProject } from "./workspace-test-support.ts";

const PROGRAM = join(import.meta.dirname, "fixtures/dying-workspace.ts");

/** Whether it was killed; false when it had no such step. */
async function runAndKill(request: DyingWorkspaceRequest): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(request)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (piece) => {
    errors += piece;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("close", (...end) => resolve(end)),
  );
  if (signal !== "SIGKILL") expect([code, errors]).toEqual([0, ""]);
  return signal === "SIGKILL";
}

/** Every `stride`-th step, from `first` on, until there is none. Gives how often it was killed. */
export async function killAtSteps(
  first: number,
  stride: number,
  action: (kill: Pick<DyingWorkspaceRequest, "step" | "moment">) => Promise<boolean>,
): Promise<number> {
  let kills = 0;
  for (let step = first; ; step += stride) {
    let wasKilled = false;
    for (const moment of ["before", "after", "with-git"] as const)
      if (await action({ step, moment })) {
        wasKilled = true;
        kills += 1;
      }
    if (!wasKilled) return kills;
  }
}

/** A repository with another one inside, files of all kinds, and a turn that changed them. */
function createProject(): TestProject {
  const project = new TestProject();
  project.git("init", "-q");
  project.write("a", "a before\n");
  project.write("folder/b", "b before\n", 0o755);
  project.write("swap", "swap before\n");
  symlinkSync("a", project.path("link"));
  project.git("add", ".");
  project.git("commit", "-qm", "first");
  mkdirSync(project.path("inner"));
  runGit(project.path("inner"), "init", "-q");
  project.write("inner/c", "c before\n");
  return project;
}

function changeFiles(project: TestProject): void {
  project.write("a", "a after\n");
  project.remove("folder");
  project.remove("swap");
  project.write("swap/below", "below\n");
  project.remove("link");
  project.write("link", "a file\n");
  project.write("inner/c", "c after\n");
  project.write("inner/d", "new\n", 0o755);
}

export async function killDuringCapture(
  kill: Pick<DyingWorkspaceRequest, "step" | "moment">,
): Promise<boolean> {
  using project = createProject();
  const { directory, workspaces } = project;
  const isFirst = kill.step % 2 === 0;
  const earlier = isFirst ? undefined : await project.capture();
  const before = earlier && project.filesOf(earlier);
  changeFiles(project);
  const tree = readTree(directory);
  const repositories = readRepositories(project);
  const wasKilled = await runAndKill({ ...kill, workspaces, directory, action: "capture", session: SESSION });
  const next = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  const { id } = await next.capture({ session: SESSION, directory });
  const [store = ""] = readdirSync(workspaces).filter((name) => !name.endsWith(".scratch"));
  const path = join(workspaces, store);
  const names = runGit(path, "ls-tree", "-r", "--name-only", id).trim().split("\n");
  expect(names).toEqual(["a", "inner/c", "inner/d", "link", "swap/below"]);
  expect(runGit(path, "cat-file", "-p", `${id}:inner/c`)).toBe("c after\n");
  expect(runGit(path, "fsck", "--connectivity-only")).not.toMatch(/missing|broken/);
  expect(listLeftovers(path)).toEqual([]);
  if (earlier) {
    const differences = await next.compare({ directory, from: earlier, to: id });
    expect(differences.map(({ status }) => status).sort()).toEqual(
      ["modified", "deleted", "modified", "added", "modified", "deleted", "added"].sort(),
    );
    expect(runGit(path, "ls-tree", "-r", "--name-only", earlier).trim().split("\n")).toEqual(
      Object.keys(before!),
    );
  }
  expect(readTree(directory)).toEqual(tree);
  expect(readRepositories(project)).toEqual(repositories);
  return wasKilled;
}

export async function killDuringRestore(
  kill: Pick<DyingWorkspaceRequest, "step" | "moment">,
): Promise<boolean> {
  using project = createProject();
  const { directory, workspaces } = project;
  const before = readTree(directory);
  const repositories = readRepositories(project);
  const from = await project.capture();
  changeFiles(project);
  const to = await project.capture();
  const turns = [{ before: from, after: to }];
  const request = { session: SESSION, directory, target: from, turns };
  const plan = await project.workspace.plan({ ...request, onConflict: "refuse" });
  const wasKilled = await runAndKill({
    ...kill,
    workspaces,
    directory,
    action: "apply",
    session: SESSION,
    plan,
  });
  // Killed a second time while it is finished, as far as it gets.
  await runAndKill({
    step: kill.step + 3,
    moment: "before",
    workspaces,
    directory,
    action: "apply",
    session: SESSION,
    plan,
  });
  // Between the two somebody works on.
  const isEdited = kill.step % 3 === 0;
  if (isEdited) project.write("a", "a by a person\n");
  const next = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  const result = await next.apply({ directory, plan });
  expect(result.kept).toEqual(isEdited ? ["a"] : []);
  expect(project.read("a")).toBe(isEdited ? "a by a person\n" : "a before\n");
  const { a: _before, ...others } = before;
  const { a: _after, ...othersAfter } = readTree(directory);
  expect(othersAfter).toEqual(others);
  // Once more changes nothing.
  const again = await next.apply({ directory, plan });
  expect(again).toEqual(result);
  expect(readRepositories(project)).toEqual(repositories);
  return wasKilled;
}

export async function killDuringGarbageCollection(
  kill: Pick<DyingWorkspaceRequest, "step" | "moment">,
): Promise<boolean> {
  using project = createProject();
  const { directory, workspaces } = project;
  const repositories = readRepositories(project);
  const first = await project.capture();
  for (let at = 0; at < 3; at += 1) {
    project.write("a", `version ${at}\n`);
    await project.capture(at === 1 ? "deleted" : SESSION);
  }
  const action = kill.step % 2 === 0 ? "collectGarbage" : "forget";
  const session = action === "forget" ? "deleted" : SESSION;
  const wasKilled = await runAndKill({ ...kill, workspaces, directory, action, session });
  const next = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
  project.write("a", "later\n");
  const { id } = await next.capture({ session: SESSION, directory });
  const [change] = await next.compare({ directory, from: first, to: id });
  expect(change).toMatchObject({ path: "a", status: "modified" });
  await next.forget("deleted");
  await next.collectGarbage();
  expect(runGit(project.store, "for-each-ref", "refs/checkpoints/deleted/")).toBe("");
  expect(runGit(project.store, "fsck", "--connectivity-only")).not.toMatch(/missing|broken/);
  expect(readRepositories(project)).toEqual(repositories);
  return wasKilled;
}

/** Every byte and time of the person's. */
function readRepositories(project: TestProject): Record<string, string>[] {
  return [".git", "inner/.git"].map((path) => readRepository(project.path(path)));
}

function listLeftovers(store: string): string[] {
  if (!existsSync(store)) return [];
  const names = readdirSync(store, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(lock|scratch)$|(^|\/)tmp_/.test(name));
}
