import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree, runGit, SESSION, TestProject } from "../workspace-test-support.ts";

/** A turn in which the action happens. */
async function turn(project: TestProject, action: () => void): Promise<[string, string]> {
  const before = await project.capture();
  action();
  return [before, await project.capture()];
}

test("what a turn did goes back, file by file, and the restore can be undone", async () => {
  using project = new TestProject();
  project.write("changed", "before\n");
  project.write("deleted/deep", "before\n", 0o755);
  project.write("swap", "file\n");
  project.write("folder/inner", "inner\n");
  project.write("untouched", "same\n");
  symlinkSync("untouched", project.path("link"));
  const { mtimeMs } = statSync(project.path("untouched"));
  const before = readTree(project.directory);
  const [from, to] = await turn(project, () => {
    project.write("changed", "after\n", 0o755);
    project.remove("deleted");
    project.remove("swap");
    project.write("swap/below", "below\n");
    project.remove("folder");
    symlinkSync("untouched", project.path("folder"));
    project.write("new/file", "new\n");
    project.remove("link");
    project.write("link", "a file now\n");
  });
  const after = readTree(project.directory);
  const { plan, restored, kept } = await project.restore(from, [[from, to]], "refuse");
  expect(plan.conflicts).toEqual([]);
  expect(kept).toEqual([]);
  expect(restored).toHaveLength(8);
  expect(readTree(project.directory)).toEqual(before);
  expect(statSync(project.path("untouched")).mtimeMs).toBe(mtimeMs);
  const undone = await project.capture();
  await project.restore(plan.checkpoint, [[plan.checkpoint, undone]], "refuse");
  expect(readTree(project.directory)).toEqual(after);
});

test("a plan writes nothing into the directory", async () => {
  using project = new TestProject();
  project.write("a", "before\n");
  const [from, to] = await turn(project, () => project.write("a", "after\n"));
  const before = readTree(project.directory);
  const { directory } = project;
  const request = { session: SESSION, directory, target: from, turns: [{ before: from, after: to }] };
  const plan = await project.workspace.plan({ ...request, onConflict: "refuse" });
  expect(plan.changes).toEqual([
    {
      path: "a",
      from: { mode: "100644", id: expect.any(String) },
      to: { mode: "100644", id: expect.any(String) },
    },
  ]);
  expect(readTree(project.directory)).toEqual(before);
});

test("only the files that were asked for, and what is below a directory", async () => {
  using project = new TestProject();
  for (const path of ["a", "b/x", "b/y", "bx"]) project.write(path, "before\n");
  const [from, to] = await turn(project, () => {
    for (const path of ["a", "b/x", "b/y", "bx"]) project.write(path, "after\n");
  });
  const { directory } = project;
  const turns = [{ before: from, after: to }];
  const plan = await project.workspace.plan({
    session: SESSION,
    directory,
    target: from,
    turns,
    paths: ["b/"],
    onConflict: "refuse",
  });
  expect(plan.changes.map(({ path }) => path)).toEqual(["b/x", "b/y"]);
});

describe("what somebody else changed", () => {
  test("after the turn is kept and named", async () => {
    using project = new TestProject();
    project.write("mine", "before\n");
    project.write("both", "before\n");
    const span = await turn(project, () => {
      project.write("both", "agent\n");
      project.write("created", "agent\n");
      project.write("deleted-again", "agent\n");
    });
    project.write("mine", "person\n");
    project.write("both", "person\n");
    project.write("created", "agent\nperson\n");
    project.write("new", "person\n");
    project.remove("deleted-again");
    const { plan, restored } = await project.restore(span[0], [span]);
    expect(plan.conflicts).toEqual(["both", "created"]);
    expect(restored).toEqual([]);
    expect(project.read("both")).toBe("person\n");
    expect(project.read("mine")).toBe("person\n");
    expect(project.read("new")).toBe("person\n");
  });

  test("between two turns, and before the first", async () => {
    using project = new TestProject();
    project.write("between", "before\n");
    project.write("early", "before\n");
    project.write("reverted", "before\n");
    const target = await project.capture();
    project.write("early", "person\n");
    const first = await turn(project, () => {
      project.write("between", "agent\n");
      project.write("reverted", "agent\n");
    });
    project.write("between", "agent\nperson\n");
    project.write("reverted", "before\n");
    const second = await turn(project, () => {
      project.write("between", "agent\nperson\nagent\n");
      project.write("early", "agent\n");
      project.write("reverted", "agent again\n");
    });
    const { plan, restored } = await project.restore(target, [first, second]);
    expect(plan.conflicts).toEqual(["between", "early"]);
    expect(restored).toEqual(["reverted"]);
    expect(project.read("reverted")).toBe("before\n");
    expect(project.read("between")).toBe("agent\nperson\nagent\n");
  });

  test("is overwritten on request, and the checkpoint has it", async () => {
    using project = new TestProject();
    project.write("both", "before\n");
    const span = await turn(project, () => project.write("both", "agent\n"));
    project.write("both", "person\n");
    const { plan, restored } = await project.restore(span[0], [span], "overwrite");
    expect(restored).toEqual(["both"]);
    expect(project.read("both")).toBe("before\n");
    expect(project.filesOf(plan.checkpoint).both).toBe("person\n");
  });

  test("is merged on request, where it does not overlap", async () => {
    using project = new TestProject();
    const lines = (...changed: string[]) => [...changed, ..."abcdefghijkl"].join("\n").concat("\n");
    project.write("apart", lines());
    project.write("twice", lines());
    project.write("overlap", "one\n");
    const first = await turn(project, () => {
      project.write("apart", lines("agent"));
      project.write("twice", lines("agent"));
      project.write("overlap", "agent\n");
    });
    project.write("twice", `${lines("agent")}person\n`);
    const second = await turn(project, () => project.write("twice", `${lines("again", "agent")}person\n`));
    project.write("apart", `${lines("agent")}person\n`);
    project.write("overlap", "person\n");
    const { plan, restored } = await project.restore(first[0], [first, second], "merge");
    expect(plan.conflicts).toEqual(["overlap"]);
    expect(restored).toEqual(["apart", "twice"]);
    expect(project.read("apart")).toBe(`${lines()}person\n`);
    expect(project.read("twice")).toBe(`${lines()}person\n`);
    await project.workspace.collectGarbage();
  });

  test("while the restore is planned and applied is kept", async () => {
    using project = new TestProject();
    for (const name of ["a", "b", "c"]) project.write(name, "before\n");
    const [from, to] = await turn(project, () => {
      for (const name of ["a", "b"]) project.write(name, "agent\n");
      project.remove("c");
      project.write("d", "agent\n");
    });
    const { directory, workspace } = project;
    const turns = [{ before: from, after: to }];
    const plan = await workspace.plan({
      session: SESSION,
      directory,
      target: from,
      turns,
      onConflict: "refuse",
    });
    project.write("a", "person\n");
    project.write("c", "person\n");
    project.write("d", "person\n");
    const result = await workspace.apply({ directory, plan });
    expect(result).toEqual({ restored: ["b"], kept: ["a", "c", "d"] });
    expect(["a", "b", "c", "d"].map((name) => project.read(name))).toEqual([
      "person\n",
      "before\n",
      "person\n",
      "person\n",
    ]);
    expect(readdirSync(directory).toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("in another session stays its own", async () => {
    using project = new TestProject();
    project.write("ours", "before\n");
    project.write("theirs", "before\n");
    project.write("unclear", "before\n");
    const [before, after] = await turn(project, () => {
      for (const name of ["ours", "theirs", "unclear"]) project.write(name, "after\n");
    });
    const { directory, workspace } = project;
    const plan = await workspace.plan({
      session: SESSION,
      directory,
      target: before,
      turns: [{ before, after, foreign: ["theirs"], mixed: ["unclear"] }],
      onConflict: "keep",
    });
    expect(plan.changes.map(({ path }) => path)).toEqual(["ours"]);
    expect(plan.conflicts).toEqual(["unclear"]);
  });
});

test("an earlier restore of the session is nobody else's change", async () => {
  using project = new TestProject();
  project.write("a", "before\n");
  project.write("b", "before\n");
  const { directory, workspace } = project;
  const [target, first] = await turn(project, () => {
    project.write("a", "first\n");
    project.write("b", "first\n");
  });
  const [second, secondEnd] = await turn(project, () => {
    project.write("a", "second\n");
    project.write("b", "second\n");
  });
  const turns = [
    { before: target, after: first },
    { before: second, after: secondEnd },
  ];
  const undo = await workspace.plan({
    session: SESSION,
    directory,
    target: first,
    turns: turns.slice(1),
    onConflict: "refuse",
  });
  await workspace.apply({ directory, plan: undo });
  expect(project.read("a")).toBe("first\n");
  const third = await turn(project, () => project.write("a", "third\n"));
  const plan = await workspace.plan({
    session: SESSION,
    directory,
    target,
    turns: [...turns, { changes: undo.changes }, { before: third[0], after: third[1] }],
    onConflict: "refuse",
  });
  expect(plan.conflicts).toEqual([]);
  await workspace.apply({ directory, plan });
  expect([project.read("a"), project.read("b")]).toEqual(["before\n", "before\n"]);
});

describe("files that a checkpoint does not have are never touched", () => {
  test("those that were ignored then and are not now", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write(".gitignore", "secret\n/out/\n");
    project.write("secret", "the person's\n");
    project.write("out/built", "built\n");
    project.write("out/:(glob)*", "built\n");
    const span = await turn(project, () => {
      project.write(".gitignore", "");
      project.write("really-new", "agent\n");
    });
    const { plan, restored } = await project.restore(span[0], [span], "overwrite");
    expect(restored).toEqual([".gitignore", "really-new"]);
    expect(plan.conflicts).toEqual([]);
    expect(project.read("secret")).toBe("the person's\n");
    expect(project.read("out/built")).toBe("built\n");
  });

  test("nor by rules above the session's directory, or in a repository inside", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write(".gitignore", "/sub/secret\n");
    project.write("sub/secret", "the person's\n");
    mkdirSync(project.path("sub/inner"));
    runGit(project.path("sub/inner"), "init", "-q");
    project.write("sub/inner/.gitignore", "secret\n");
    project.write("sub/inner/secret", "the person's\n");
    const directory = project.path("sub");
    const { workspace } = project;
    const before = await workspace.capture({ session: SESSION, directory });
    project.write(".gitignore", "");
    project.write("sub/inner/.gitignore", "");
    project.write("sub/inner/new", "agent\n");
    const after = await workspace.capture({ session: SESSION, directory });
    const turns = [{ before: before.id, after: after.id }];
    const request = { session: SESSION, directory, target: before.id, turns };
    const plan = await workspace.plan({ ...request, onConflict: "overwrite" });
    expect(plan.changes.map(({ path }) => path)).toEqual(["inner/.gitignore", "inner/new"]);
  });

  test("those that were too large then, and those that are now", async () => {
    using project = new TestProject({ maxFileBytes: 10 });
    project.write("shrinks", "x".repeat(20));
    project.write("grows", "x");
    const span = await turn(project, () => {
      project.write("shrinks", "x");
      project.write("grows", "x".repeat(20));
    });
    const { plan, restored } = await project.restore(span[0], [span], "overwrite");
    expect(plan.conflicts).toEqual(["grows", "shrinks"]);
    expect(restored).toEqual([]);
    expect(project.read("shrinks")).toBe("x");
    expect(project.read("grows")).toBe("x".repeat(20));
  });

  test("an ignored file in the place of one that would come back, and one in a directory there", async () => {
    using project = new TestProject();
    project.write("a", "before\n");
    project.write("b", "before\n");
    project.write("c", "before\n");
    project.write(".gitignore", "*.o\n");
    const span = await turn(project, () => {
      for (const name of ["a", "b", "c"]) project.remove(name);
      project.write("b/agent", "agent\n");
    });
    project.write("a/person.o", "ignored\n");
    project.write("b/person.o", "ignored\n");
    mkdirSync(project.path("c/empty"), { recursive: true });
    const { plan, restored, kept } = await project.restore(span[0], [span]);
    expect(plan.conflicts).toEqual(["a", "b"]);
    expect(restored).toEqual(["b/agent", "c"]);
    expect(kept).toEqual([]);
    expect(project.read("a/person.o")).toBe("ignored\n");
    expect(project.read("b/person.o")).toBe("ignored\n");
    expect(project.read("c")).toBe("before\n");
  });
});

test("a link among the parents is never followed", async () => {
  using project = new TestProject();
  const outside = join(project.base, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "file"), "outside\n");
  writeFileSync(join(outside, "new"), "outside\n");
  project.write("folder/file", "before\n");
  const [from, to] = await turn(project, () => {
    project.remove("folder/file");
    project.write("folder/new", "agent\n");
  });
  const { directory, workspace } = project;
  const turns = [{ before: from, after: to }];
  const request = { session: SESSION, directory, target: from, turns };
  const early = await workspace.plan({ ...request, onConflict: "overwrite" });
  renameSync(project.path("folder"), join(project.base, "moved"));
  symlinkSync(outside, project.path("folder"));
  const late = await workspace.plan({ ...request, onConflict: "overwrite" });
  expect(late.conflicts).toEqual(["folder/file"]);
  const result = await workspace.apply({ directory, plan: early });
  expect(result.kept).toEqual(["folder/file"]);
  expect(readFileSync(join(outside, "file"), "utf8")).toBe("outside\n");
  expect(readdirSync(outside)).toEqual(["file", "new"]);
});

test("a plan that leads out of the directory or into a repository is refused", async () => {
  using project = new TestProject();
  project.write("a", "content\n");
  const checkpoint = await project.capture();
  const { directory, workspace } = project;
  for (const path of ["../a", "/etc/x", "b//c", ".git/config", "sub/.GIT/hooks/x", ".", ""]) {
    const plan = { checkpoint, conflicts: [], changes: [{ path }] };
    await expect(workspace.apply({ directory, plan })).rejects.toThrow("no file of the directory");
  }
});

test("with one content missing nothing is touched at all", async () => {
  using project = new TestProject();
  project.write("a", "before a\n");
  project.write("b", "before b\n");
  const [from, to] = await turn(project, () => {
    project.write("a", "after\n");
    project.remove("b");
  });
  const { directory, workspace } = project;
  const turns = [{ before: from, after: to }];
  const request = { session: SESSION, directory, target: from, turns };
  const plan = await workspace.plan({ ...request, onConflict: "refuse" });
  const id = plan.changes.find(({ path }) => path === "b")!.to!.id;
  rmSync(join(project.store, "objects", id.slice(0, 2), id.slice(2)));
  await expect(workspace.apply({ directory, plan })).rejects.toThrow("damaged");
  await expect(workspace.plan({ ...request, onConflict: "refuse" })).rejects.toThrow("damaged");
  expect(project.read("a")).toBe("after\n");
  expect(existsSync(project.path("b"))).toBe(false);
});

test("rights of a file stay, except whether it can be run; a hard link is not written through", async () => {
  using project = new TestProject();
  project.write("private", "before\n", 0o600);
  project.write("tool", "before\n", 0o750);
  project.write("linked", "before\n");
  const span = await turn(project, () => {
    project.write("private", "after\n");
    project.write("tool", "before\n", 0o640);
    project.write("linked", "after\n");
  });
  linkSync(project.path("linked"), join(project.base, "other-name"));
  await project.restore(span[0], [span]);
  expect(lstatSync(project.path("private")).mode & 0o777).toBe(0o600);
  expect(lstatSync(project.path("tool")).mode & 0o777).toBe(0o750);
  expect(project.read("linked")).toBe("before\n");
  expect(readFileSync(join(project.base, "other-name"), "utf8")).toBe("after\n");
});

test("the person's history may be rewritten, and their repository deleted: everything comes back", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  for (let at = 0; at < 520; at += 1) project.write(`d${at % 5}/f${at}`, `content ${at}\n`);
  project.git("add", ".");
  project.git("commit", "-qm", "first");
  const before = readTree(project.directory);
  const from = await project.capture();
  project.remove("d0");
  const to = await project.capture();
  project.git("add", "-A");
  project.git("commit", "-q", "--amend", "--allow-empty", "-m", "nothing");
  project.git("reflog", "expire", "--expire=now", "--all");
  project.git("gc", "-q", "--prune=now");
  project.remove(".git");
  await project.restore(from, [[from, to]], "refuse");
  const files = Object.entries(before).filter(([name]) => !/^\.git(\/|$)/.test(name));
  expect(readTree(project.directory)).toEqual(Object.fromEntries(files));
});

test("files of a repository inside go back, and the repository itself stays as it is", async () => {
  using project = new TestProject();
  mkdirSync(project.path("inner"));
  runGit(project.path("inner"), "init", "-q");
  project.write("inner/file", "before\n");
  symlinkSync("file", project.path("inner/link"));
  const span = await turn(project, () => {
    project.write("inner/file", "after\n");
    project.remove("inner/link");
    project.write("inner/new", "new\n");
  });
  const repository = readTree(project.path("inner/.git"));
  await project.restore(span[0], [span], "refuse");
  expect(project.read("inner/file")).toBe("before\n");
  expect(readlinkSync(project.path("inner/link"))).toBe("file");
  expect(existsSync(project.path("inner/new"))).toBe(false);
  expect(readTree(project.path("inner/.git"))).toEqual(repository);
});
