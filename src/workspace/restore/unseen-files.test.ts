/** Files that no checkpoint had when a turn began, and that a restore would take for the turn's. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TurnSpan } from "../../core/workspace.ts";
import { runGit, SESSION, TestProject } from "../workspace-test-support.ts";

/** A turn in which the action happens. */
async function turn(project: TestProject, action: () => void): Promise<TurnSpan> {
  const before = await project.capture();
  action();
  return { before, after: await project.capture() };
}

async function planBack(
  project: TestProject,
  turns: readonly TurnSpan[],
  onConflict: "keep" | "merge" | "overwrite" = "keep",
) {
  const { directory, workspace } = project;
  const target = turns[0]!.before;
  const plan = await workspace.plan({ session: SESSION, directory, target, turns, onConflict });
  return { changed: plan.changes.map(({ path }) => path), conflicts: plan.conflicts };
}

/** For its checkpoints every file that was there before them is old. */
function laterProject(): TestProject {
  return new TestProject({}, () => Date.now() + 60_000);
}

test("an ignored file that was added to the person's index in a turn is not deleted", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".gitignore", ".env\n");
  project.write(".env", "secret\n");
  const span = await turn(project, () => {
    project.git("add", "-f", ".env");
    project.write("new", "agent\n");
  });
  expect(await planBack(project, [span], "overwrite")).toEqual({ changed: ["new"], conflicts: [] });
});

test("a file that a person made and ignored between two turns is not deleted when an agent drops the rule", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".gitignore", "");
  const first = await turn(project, () => project.write("new", "agent\n"));
  project.write(".gitignore", "notes\n");
  project.write("notes", "the person's\n");
  const second = await turn(project, () => project.write(".gitignore", ""));
  expect(await planBack(project, [first, second], "overwrite")).toMatchObject({ changed: ["new"] });
});

test("a person's file in the place of one that an agent deleted is not overwritten when a rule is dropped", async () => {
  using project = new TestProject();
  project.write("notes", "before\n");
  const first = await turn(project, () => project.remove("notes"));
  project.write(".gitignore", "notes\n");
  project.write("notes", "the person's\n");
  const second = await turn(project, () => project.write(".gitignore", "other\n"));
  const { changed } = await planBack(project, [first, second], "overwrite");
  expect(changed).not.toContain("notes");
});

test("a file that was too large when a later turn began is not deleted", async () => {
  using project = new TestProject({ maxFileBytes: 10 });
  const first = await turn(project, () => project.write("new", "agent\n"));
  project.write("large", "x".repeat(20));
  const second = await turn(project, () => project.write("large", "x"));
  const plan = await planBack(project, [first, second], "overwrite");
  expect(plan).toEqual({ changed: ["new"], conflicts: ["large"] });
});

test("files that a rule file hid together with itself are not deleted when that goes", async () => {
  using project = laterProject();
  project.write("notes/.gitignore", "*\n");
  project.write("notes/diary", "the person's\n");
  const span = await turn(project, () => project.remove("notes/.gitignore"));
  expect(await planBack(project, [span])).toEqual({ changed: [], conflicts: ["notes/diary"] });
});

test("a file that an agent moved here from where no checkpoint looks is not deleted", async () => {
  using project = laterProject();
  project.write(".gitignore", "private/\n");
  project.write("private/diary", "the person's only copy\n");
  writeFileSync(join(project.base, "outside"), "also the only copy\n");
  const span = await turn(project, () => {
    renameSync(project.path("private/diary"), project.path("diary"));
    renameSync(join(project.base, "outside"), project.path("outside"));
  });
  expect(await planBack(project, [span])).toEqual({ changed: [], conflicts: ["diary", "outside"] });
});

test("files that an agent moved within the directory go back, also when it changed them too", async () => {
  using project = laterProject();
  project.write("old/a", "a\n");
  project.write("old/b", "b\n");
  project.write("c", "c\n");
  const span = await turn(project, () => {
    renameSync(project.path("old"), project.path("new"));
    renameSync(project.path("c"), project.path("d"));
    project.write("d", "changed in place\n");
  });
  const plan = await planBack(project, [span]);
  expect(plan).toEqual({ changed: ["c", "d", "new/a", "new/b", "old/a", "old/b"], conflicts: [] });
});

test("what two agents may have changed is not taken out of a file by a merge", async () => {
  using project = new TestProject();
  const lines = (first: string, last: string) => `${[first, ..."abcdefgh", last].join("\n")}\n`;
  project.write("both", lines("", ""));
  const span = await turn(project, () => project.write("both", lines("this agent", "another agent")));
  const plan = await planBack(project, [{ ...span, mixed: ["both"] }], "merge");
  expect(plan).toEqual({ changed: [], conflicts: ["both"] });
});

test("the files of a bare repository are not taken for a project", async () => {
  using project = new TestProject();
  runGit(project.base, "init", "-q", "--bare", "bare");
  const { workspace, base } = project;
  expect(await workspace.obstacle(join(base, "bare"))).toMatch("repository's own files");
  expect(await workspace.obstacle(join(base, "bare", "refs"))).toMatch("repository's own files");
});

test("a repository whose folder has another name is not covered with the files beside it", async () => {
  using project = new TestProject();
  project.git("init", "-q", "--separate-git-dir=.repository");
  project.write("a", "content\n");
  const span = await turn(project, () => {
    project.git("add", "a");
    project.git("commit", "-qm", "first");
  });
  expect(Object.keys(project.filesOf(span.after))).toEqual(["a"]);
});

test("a person's index that is damaged stops no checkpoint", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".gitignore", "*.log\n");
  project.write("kept.log", "content\n");
  project.write("a", "content\n");
  project.git("add", "-f", ".");
  const first = await project.capture();
  expect(Object.keys(project.filesOf(first))).toEqual([".gitignore", "a", "kept.log"]);
  writeFileSync(project.path(".git/index"), "damaged");
  project.write("a", "changed\n");
  const second = await project.capture();
  expect(project.filesOf(second)).toMatchObject({ a: "changed\n", "kept.log": "content\n" });
});

test("a session in an ignored directory of a repository has its files in checkpoints", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".gitignore", "/scratch/\n");
  mkdirSync(project.path("scratch"));
  project.write("scratch/a", "content\n");
  const directory = project.path("scratch");
  const { id } = await project.workspace.capture({ session: SESSION, directory });
  expect(Object.keys(project.filesOf(id))).toEqual(["a"]);
});

test("a repository made in a directory of which the person's repository has ignored files stops no checkpoint", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write(".gitignore", "*.log\n");
  project.write("d/c.log", "content\n");
  project.git("add", "-f", "d/c.log");
  runGit(project.path("d"), "init", "-q");
  expect(Object.keys(project.filesOf(await project.capture()))).toEqual([".gitignore", "d/c.log"]);
});
