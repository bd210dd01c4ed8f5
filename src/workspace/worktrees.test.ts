/** What becomes of a worktree: nothing that somebody did in it goes with it. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runGit, TestProject } from "./workspace-test-support.ts";
import { openWorktrees } from "./worktrees.ts";

class Repository extends TestProject {
  readonly worktrees = openWorktrees({
    directory: join(this.data, "worktrees"),
    workspacesOf: () => this.workspaces,
    workspace: this.workspace,
  });

  constructor() {
    super();
    this.write(".gitignore", ".env\n");
    this.write("a", "content\n");
    this.git("init", "--quiet");
    this.git("add", ".");
    this.git("commit", "--quiet", "-m", "Begin");
  }

  async add(session: string): Promise<string> {
    return (await this.worktrees.add({ session, directory: this.directory })).directory;
  }
}

test("the worktree of a session stays if there is an ignored file in it", async () => {
  using repository = new Repository();
  const [touched, untouched] = [await repository.add("touched"), await repository.add("untouched")];
  writeFileSync(join(touched, ".env"), "KEY=typed-by-hand\n");
  expect(await repository.worktrees.release("touched", { isShared: false })).toBe("kept");
  expect(await repository.worktrees.release("untouched", { isShared: false })).toBe("removed");
  expect([touched, untouched].map((directory) => existsSync(directory))).toEqual([true, false]);
});

test("work in a worktree stays when its session is not in the log, as after a restore of an older backup", async () => {
  using repository = new Repository();
  const [changed, unchanged, known] = [
    await repository.add("changed"),
    await repository.add("unchanged"),
    await repository.add("known"),
  ];
  writeFileSync(join(changed, "a"), "hours of work\n");
  await repository.worktrees.discardUnless(async (session) => session === "known");
  expect([changed, unchanged, known].map((directory) => existsSync(directory))).toEqual([true, false, true]);
  expect(repository.git("branch", "--list", "interlingua/*").match(/\S+$/gm)).toEqual([
    "interlingua/changed",
    "interlingua/known",
  ]);
});

test("a worktree that a dead daemon had half made goes", async () => {
  using repository = new Repository();
  const directory = await repository.add("half");
  const record = join(repository.data, "worktrees", "half.json");
  const { isComplete: _, first: __, ...begun } = JSON.parse(readFileSync(record, "utf8"));
  writeFileSync(record, JSON.stringify(begun));
  await repository.worktrees.discardUnless(async () => false);
  expect(existsSync(directory)).toBe(false);
  expect(repository.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
});

test("a worktree of the person that is not there right now is not forgotten", async () => {
  using repository = new Repository();
  const elsewhere = join(repository.base, "on a disk");
  repository.git("worktree", "add", "--quiet", "--detach", elsewhere);
  renameSync(elsewhere, `${elsewhere} that is not mounted`);
  await repository.add("unused");
  await repository.worktrees.release("unused", { isShared: false });
  renameSync(`${elsewhere} that is not mounted`, elsewhere);
  expect(runGit(elsewhere, "status", "--porcelain")).toBe("");
  expect(repository.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(2);
});

test("a record of a worktree that was cut off keeps nobody from starting", async () => {
  using repository = new Repository();
  const directory = await repository.add("cut");
  writeFileSync(join(repository.data, "worktrees", "cut.json"), "");
  await repository.worktrees.discardUnless(async () => false);
  expect(existsSync(directory)).toBe(true);
  expect(await repository.worktrees.release("cut", { isShared: false })).toBe("none");
});

test("nothing beyond a link that the commit has is touched when a worktree is filled", async () => {
  using repository = new Repository();
  const beyond = join(repository.base, "beyond");
  mkdirSync(join(beyond, "sub"), { recursive: true });
  writeFileSync(join(beyond, "sub", "precious"), "content");
  symlinkSync(beyond, repository.path("app"));
  repository.git("add", ".");
  repository.git("commit", "--quiet", "-m", "A link");
  rmSync(repository.path("app"));
  repository.write("app/sub/file", "content\n");
  const directory = repository.path("app/sub");
  const { id: checkpoint } = await repository.workspace.capture({ session: "s", directory });
  const adding = repository.worktrees.add({ session: "fork", directory, checkpoint });
  await expect(adding).rejects.toMatchObject({ code: "worktree_impossible" });
  expect(readFileSync(join(beyond, "sub", "precious"), "utf8")).toBe("content");
  expect(existsSync(join(repository.data, "worktrees", "fork"))).toBe(false);
  expect(repository.git("branch", "--list", "interlingua/*")).toBe("");
});

test("a sparse file of many gigabytes fills no disk when a session gets a worktree", async () => {
  using repository = new Repository();
  repository.write("large.bin", Buffer.alloc(11 * 2 ** 20, 1));
  repository.write("sparse.bin", "");
  truncateSync(repository.path("sparse.bin"), 3 * 2 ** 30);
  const { directory } = repository;
  const { id: checkpoint } = await repository.workspace.capture({ session: "s", directory });
  const made = await repository.worktrees.add({ session: "fork", directory, checkpoint });
  expect(statSync(join(made.directory, "large.bin")).size).toBe(11 * 2 ** 20);
  // Some file systems share the content of files.
  const copy = statSync(join(made.directory, "sparse.bin"), { throwIfNoEntry: false });
  expect((copy?.blocks ?? 0) * 512).toBeLessThan(2 ** 20);
  expect(made.leftOut).toEqual(copy ? [] : ["sparse.bin"]);
});
