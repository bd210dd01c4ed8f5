/** A restore and somebody who saves meanwhile, a disk without room, a damaged checkpoint: nothing gets lost, nothing is half done. */
import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RestorePlan } from "../../core/workspace.ts";
import { Git, type GitOutput, type GitRun } from "../git.ts";
import { readTree, SESSION, TestProject } from "../workspace-test-support.ts";
import { applyPlan } from "./apply-plan.ts";

/** Everything a restore does with files. */
const CALLS = [
  ...["lstatSync", "openSync", "readSync", "fchmodSync", "closeSync", "renameSync"],
  ...["linkSync", "unlinkSync", "symlinkSync", "rmSync", "mkdirSync", "rmdirSync", "readdirSync"],
];

/** Calls back before each of these calls, with its number, the name of the function and that of the file. */
function interrupt(before: (call: number, name: string, file: string) => void): Disposable {
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = CALLS.map((name) => [name, functions[name]!] as const);
  const { open, rm } = fs.promises;
  let call = 0;
  let isInside = false;
  const notify = (name: string, file: unknown) => {
    if (isInside) return;
    isInside = true;
    call += 1;
    try {
      before(call, name, String(file));
    } finally {
      isInside = false;
    }
  };
  for (const [name, original] of originals) {
    functions[name] = (...args) => {
      notify(name, args[0]);
      return original.apply(fs, args);
    };
  }
  fs.promises.rm = async (...args) => {
    notify("rm", args[0]);
    await rm(...args);
  };
  fs.promises.open = async (...args) => {
    notify("open", args[0]);
    const opened = await open(...args);
    const write = opened.writeFile.bind(opened);
    opened.writeFile = async (...content) => {
      notify("writeFile", args[0]);
      await write(...content);
    };
    // It takes long, and no test cuts the power.
    opened.sync = async () => notify("sync", args[0]);
    return opened;
  };
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]: () => {
      Object.assign(functions, Object.fromEntries(originals));
      Object.assign(fs.promises, { open, rm });
      syncBuiltinESMExports();
    },
  };
}

/** Git that is asked each question once: what it has does not change, and a process for each moment takes long. */
class RememberingGit extends Git {
  readonly #answers = new Map<string, Promise<GitOutput>>();

  override run(args: readonly string[], options: GitRun = {}): Promise<GitOutput> {
    const key = JSON.stringify([args, options.input]);
    const answer = this.#answers.get(key) ?? super.run(args, options);
    this.#answers.set(key, answer);
    return answer;
  }
}

/** A turn that changed, deleted and added files, and the plan to go back. */
async function planBack(project: TestProject): Promise<RestorePlan> {
  project.write("changed", "before\n");
  project.write("deleted/file", "before\n");
  project.write("link", "before\n");
  symlinkSync("before", project.path("file"));
  const before = await project.capture();
  changeFiles(project);
  const after = await project.capture();
  const { directory, workspace } = project;
  const turns = [{ before, after }];
  return await workspace.plan({ session: SESSION, directory, target: before, turns, onConflict: "refuse" });
}

function changeFiles(project: TestProject): void {
  for (const name of ["changed", "deleted", "link", "file", "added"])
    rmSync(project.path(name), { recursive: true, force: true });
  project.write("changed", "agent\n");
  project.write("added", "agent\n");
  symlinkSync("agent", project.path("link"));
  project.write("file", "agent\n");
}

/** Ways to save a file, each complete before the restore goes on. */
const SAVES: Record<string, (name: string) => void> = {
  "in place": (name) => {
    if (fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(name);
    fs.writeFileSync(name, "person\n");
  },
  "by a rename": (name) => {
    fs.writeFileSync(`${name}~`, "person\n");
    renameSync(`${name}~`, name);
  },
  "after it was moved away": (name) => {
    fs.rmSync(`${name}~`, { force: true });
    if (fs.lstatSync(name, { throwIfNoEntry: false })) renameSync(name, `${name}~`);
    fs.writeFileSync(name, "person\n");
    fs.rmSync(`${name}~`, { force: true });
  },
};

describe("what a person saves at any moment of a restore is there afterwards", () => {
  test.each(Object.entries(SAVES))("%s", async (_name, save) => {
    using project = new TestProject();
    const { directory } = project;
    const plan = await planBack(project);
    const git = new RememberingGit(project.store, project.store);
    const names = ["changed", "added", "link", "file"];
    for (let moment = 1; ; moment += 1) {
      changeFiles(project);
      let isReached = false;
      {
        using _interruption = interrupt((call) => {
          if (call !== moment) return;
          isReached = true;
          for (const name of names) save(project.path(name));
        });
        await applyPlan(git, directory, plan);
      }
      if (!isReached) break;
      for (const name of names) expect(project.read(name), `${name}, ${moment}`).toBe("person\n");
      expect(readdirSync(directory).toSorted()).toEqual(["added", "changed", "deleted", "file", "link"]);
      expect(moment).toBeLessThan(1000);
    }
    expect([project.read("changed"), project.read("link")]).toEqual(["before\n", "before\n"]);
  });

  test("also with a file that was open all the time, until it is looked at for the last time", async () => {
    using project = new TestProject();
    const { directory } = project;
    const plan = await planBack(project);
    const git = new RememberingGit(project.store, project.store);
    let kept = 0;
    for (let moment = 1; ; moment += 1) {
      changeFiles(project);
      const descriptor = fs.openSync(project.path("changed"), "r+");
      let isReached = false;
      let isLost = false;
      {
        using _interruption = interrupt((call, name) => {
          if (call !== moment) return;
          isReached = true;
          // It has no name any more that anybody could look at.
          isLost = fs.fstatSync(descriptor).nlink === 0 || name === "unlinkSync";
          fs.writeSync(descriptor, "person\n");
        });
        await applyPlan(git, directory, plan);
      }
      fs.closeSync(descriptor);
      if (!isReached) break;
      if (isLost) continue;
      kept += 1;
      expect(project.read("changed"), String(moment)).toBe("person\n");
    }
    expect(kept).toBeGreaterThan(5);
  });
});

test("what a person changed between the plan and the restore is not even moved for a moment", async () => {
  using project = new TestProject();
  const plan = await planBack(project);
  const names = ["added", "changed", "file"];
  for (const name of names) project.write(name, "person\n");
  const missing = new Set<string>();
  const look = () => {
    for (const name of names)
      if (!existsSync(project.path(name)) || project.read(name) !== "person\n") missing.add(name);
  };
  const { directory, workspace } = project;
  using _interrupted = interrupt(look);
  const { kept } = await workspace.apply({ directory, plan });
  look();
  expect([...missing]).toEqual([]);
  expect(kept).toEqual(names);
});

test("a directory that becomes a link at any moment of a restore: what is beyond it stays", async () => {
  using project = new TestProject();
  const { directory, base, workspace } = project;
  const names = ["changed", "deleted", "added", "added-too"];
  const outside = join(base, "outside");
  const moved = join(base, "moved");
  const work = () => {
    for (const path of [outside, moved, project.path("folder")])
      rmSync(path, { recursive: true, force: true });
    mkdirSync(outside);
    // As the agent left it, and as it was: nothing tells them from the real ones.
    writeFileSync(join(outside, "changed"), "agent\n");
    writeFileSync(join(outside, "added"), "agent\n");
    for (const name of names.filter((each) => each !== "deleted")) project.write(`folder/${name}`, "agent\n");
  };
  for (const name of ["changed", "deleted"]) project.write(`folder/${name}`, "before\n");
  const before = await project.capture();
  work();
  const after = await project.capture();
  const turns = [{ before, after }];
  const request = { session: SESSION, directory, target: before, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  const git = new RememberingGit(project.store, project.store);
  for (let moment = 1; ; moment += 1) {
    work();
    const tree = readTree(outside);
    let isReached = false;
    {
      using _interruption = interrupt((call) => {
        if (call !== moment) return;
        isReached = true;
        renameSync(project.path("folder"), moved);
        symlinkSync(outside, project.path("folder"));
      });
      await applyPlan(git, directory, plan);
    }
    if (!isReached) break;
    expect(readTree(outside), String(moment)).toMatchObject(tree);
    expect(readdirSync(outside).filter((name) => !names.includes(name))).toEqual([]);
  }
  expect(project.read("folder/changed")).toBe("before\n");
});

test("a disk that gets full in the middle leaves every file as it was, and nothing beside", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const plan = await planBack(project);
  const before = readTree(directory);
  for (let moment = 1; ; moment += 1) {
    let failures = 0;
    let writes = 0;
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    using _interruption = interrupt((_call, name) => {
      if (name !== "writeFile" && name !== "sync") return;
      writes += 1;
      if (writes !== moment) return;
      failures += 1;
      throw full;
    });
    const result = await workspace.apply({ directory, plan }).catch((error: unknown) => error);
    if (failures === 0) break;
    if (result === full) expect(readTree(directory)).toEqual(before);
    else expect(moment).toBeGreaterThan(2);
    changeFiles(project);
  }
});

test("of a restore that a broken disk ends in the middle it is known which files went back", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const plan = await planBack(project);
  await workspace.apply({ directory, plan });
  const target = readTree(directory);
  const counts = new Set<number>();
  for (let moment = 1; ; moment += 1) {
    changeFiles(project);
    let moves = 0;
    const applying = async () => {
      using _interruption = interrupt((_call, name) => {
        if (name !== "renameSync") return;
        moves += 1;
        if (moves >= moment) throw Object.assign(new Error("input/output error"), { code: "EIO" });
      });
      return await workspace.apply({ directory, plan }).catch(() => undefined);
    };
    if (await applying()) break;
    const now = readTree(directory);
    const expected = plan.changes.map(({ path }) => path).filter((path) => now[path] === target[path]);
    expect(await workspace.findDone({ directory, plan }), String(moment)).toEqual(expected);
    counts.add(expected.length);
    await workspace.apply({ directory, plan });
  }
  expect(counts.size).toBeGreaterThan(2);
});

function tryMount(directory: string): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("a file system that is really full", async ({ skip }) => {
  using project = new TestProject();
  const { directory, workspace } = project;
  if (!tryMount(directory)) skip("it needs root on Linux to mount a small file system");
  try {
    for (const name of ["a", "b", "c"]) project.write(name, name.repeat(50_000));
    const before = await project.capture();
    for (const name of ["a", "b", "c"]) project.write(name, "agent\n");
    project.write("new", "agent\n");
    const after = await project.capture();
    const turns = [{ before, after }];
    const request = { session: SESSION, directory, target: before, turns };
    const plan = await workspace.plan({ ...request, onConflict: "refuse" });
    project.write("person", "x".repeat(100_000));
    const tree = readTree(directory);
    await expect(workspace.apply({ directory, plan })).rejects.toMatchObject({ code: "ENOSPC" });
    expect(readTree(directory)).toEqual(tree);
    project.remove("person");
    expect((await workspace.apply({ directory, plan })).kept).toEqual([]);
    expect(project.read("c")).toBe("c".repeat(50_000));
    expect(existsSync(project.path("new"))).toBe(false);
  } finally {
    execFileSync("umount", [directory]);
  }
});

test("a restore that there is no room for is refused before anything is said to have begun", async ({
  skip,
}) => {
  using project = new TestProject();
  const { directory, workspace } = project;
  if (!tryMount(directory)) skip("it needs root on Linux to mount a small file system");
  try {
    project.write("a", "a".repeat(100_000));
    const before = await project.capture();
    project.write("a", "agent\n");
    const after = await project.capture();
    project.write("person", "x".repeat(200_000));
    const turns = [{ before, after }];
    const request = { session: SESSION, directory, target: before, turns, onConflict: "refuse" as const };
    const taken = async () => (await workspace.usage()).map(({ checkpoints }) => checkpoints);
    await expect(workspace.plan(request)).rejects.toThrow("There is no room");
    expect(await taken()).toEqual([2]);
    project.remove("person");
    const plan = await workspace.plan(request);
    expect((await workspace.apply({ directory, plan })).restored).toEqual(["a"]);
  } finally {
    execFileSync("umount", [directory]);
  }
});

test("a content that is damaged is noticed before the first file is touched", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const names = Array.from({ length: 5 }, (_, at) => `file-${at}`);
  for (const name of names) project.write(name, `before ${name}\n`.repeat(100));
  const before = await project.capture();
  for (const name of names) project.write(name, `agent ${name}\n`);
  project.write("new", "agent\n");
  const after = await project.capture();
  const turns = [{ before, after }];
  const request = { session: SESSION, directory, target: before, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  const tree = readTree(directory);
  const { id } = plan.changes.find(({ path }) => path === "file-3")!.to!;
  const object = join(project.store, "objects", id.slice(0, 2), id.slice(2));
  const whole = readFileSync(object);
  chmodSync(object, 0o644);
  const other = plan.changes.find(({ path }) => path === "file-2")!.to!.id;
  const damages = {
    "cut short": whole.subarray(0, whole.length - 8),
    "with another byte": Buffer.from(whole).fill(whole.at(-6)! ^ 1, whole.length - 6, whole.length - 5),
    "of another file": readFileSync(join(project.store, "objects", other.slice(0, 2), other.slice(2))),
  };
  for (const [name, damaged] of Object.entries(damages)) {
    writeFileSync(object, damaged);
    await expect(workspace.plan({ ...request, onConflict: "refuse" }), name).rejects.toThrow("damaged");
    await expect(workspace.apply({ directory, plan }), name).rejects.toThrow("damaged");
    expect(readTree(directory)).toEqual(tree);
  }
  writeFileSync(object, whole);
  expect((await workspace.apply({ directory, plan })).kept).toEqual([]);
});

test("directories that somebody makes where a file was stay, and what is in them", async () => {
  using project = new TestProject();
  project.write("place", "before\n");
  const before = await project.capture();
  project.remove("place");
  const after = await project.capture();
  const { directory, workspace } = project;
  const turns = [{ before, after }];
  const request = { session: SESSION, directory, target: before, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  mkdirSync(project.path("place/a/empty"), { recursive: true });
  project.write("place/file", "person\n");
  const tree = readTree(directory);
  expect(await workspace.apply({ directory, plan })).toEqual({ restored: [], kept: ["place"] });
  expect(readTree(directory)).toEqual(tree);
});

test("a save into a file that was moved aside is named when something else took its place", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  project.write("folder/file", "before\n");
  const before = await project.capture();
  project.write("folder/file", "agent\n");
  const after = await project.capture();
  const turns = [{ before, after }];
  const request = { session: SESSION, directory, target: before, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  const descriptor = fs.openSync(project.path("folder/file"), "r+");
  let isMoved = false;
  let isSaved = false;
  const applied = async () => {
    using _interruption = interrupt((_call, name) => {
      if (isMoved && !isSaved) {
        isSaved = true;
        fs.writeSync(descriptor, "person\n");
        project.write("folder/file", "somebody else\n");
      }
      isMoved ||= name === "renameSync";
    });
    return await workspace.apply({ directory, plan });
  };
  const { restored, kept } = await applied();
  fs.closeSync(descriptor);
  expect(restored).toEqual([]);
  expect(kept).toEqual(["folder/file", expect.stringMatching(/^folder\/\.restore-[0-9a-f]{16}-0\.old$/)]);
  expect(kept.map((path) => project.read(path))).toEqual(["somebody else\n", "person\n"]);
});

test("a restore of many files does not hold up others in the process", async () => {
  using project = new TestProject();
  const { directory, workspace } = project;
  const names = Array.from({ length: 20 }, (_, at) => `file-${at}`);
  for (const name of names.slice(0, 10)) project.write(name, `before ${name}\n`);
  const before = await project.capture();
  for (const name of names) project.write(name, `agent ${name}\n`);
  const after = await project.capture();
  const turns = [{ before, after }];
  const request = { session: SESSION, directory, target: before, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  let turn = 0;
  let isOver = false;
  const countTurns = () => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  const filesByTurn = new Map<number, Set<string>>();
  let last = "";
  try {
    using _interruption = interrupt((_call, _name, path) => {
      const file = /\.restore-[0-9a-f]+-(\d+)\./.exec(path)?.[1] ?? fileAt(path);
      if (file === undefined) return;
      filesByTurn.set(turn, (filesByTurn.get(turn) ?? new Set()).add(file));
      // Each file takes as long as a large one.
      if (file !== last) wasteTime();
      last = file;
    });
    countTurns();
    expect((await workspace.apply({ directory, plan })).restored).toHaveLength(20);
  } finally {
    isOver = true;
  }
  // Whether the count or the work comes first in a turn may change between two loops.
  expect(Math.max(...[...filesByTurn.values()].map((files) => files.size))).toBeLessThanOrEqual(2);

  function fileAt(path: string): string | undefined {
    const at = plan.changes.findIndex((change) => project.path(change.path) === path);
    return at === -1 ? undefined : String(at);
  }
});

/** Longer than a slice of time is. */
function wasteTime(): void {
  const until = performance.now() + 8;
  while (performance.now() < until);
}
