import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RuleFiles } from "./rule-files.ts";
import { TestProject } from "./workspace-test-support.ts";

it("rules of more than 1 MB, or behind a link, are not used, and a notice says why", async () => {
  using project = new TestProject();
  project.write("fits", "x".repeat(1024 * 1024));
  project.write("large", "x".repeat(1024 * 1024 + 1));
  symlinkSync(project.path("fits"), project.path("link"));
  const files = new RuleFiles();
  expect(await files.read(project.path("fits"))).toHaveLength(1024 * 1024);
  for (const name of ["large", "link", "nothing"]) expect(await files.read(project.path(name))).toBe("");
  expect(files.notices).toEqual([
    `The ignore rules in ${project.path("large")} are not used: ${project.path("large")} is larger than 1048576 bytes.`,
    `The ignore rules in ${project.path("link")} are not used: ${project.path("link")} is a link, which is not followed.`,
  ]);
});

it("a checkpoint reads 64 files of rules, and names some of those it leaves out", async () => {
  using project = new TestProject();
  const files = new RuleFiles();
  for (let number = 1; number <= 80; number += 1) {
    project.write(`rules-${number}`, `${number}\n`);
    const expected = number <= 64 ? `${number}\n` : "";
    expect(await files.read(project.path(`rules-${number}`))).toBe(expected);
  }
  expect(files.notices).toHaveLength(11);
  expect(files.notices[0]).toContain("a checkpoint uses at most 64 files with ignore rules.");
  expect(files.notices.at(-1)).toBe("6 more files with ignore rules are not used.");
});

it("files with nothing but comments and blank lines do not count", async () => {
  using project = new TestProject();
  const files = new RuleFiles();
  for (let number = 1; number <= 80; number += 1) {
    project.write(`comments-${number}`, "# git makes this file\n\n# *.[oa]\n  \r\n");
    await files.read(project.path(`comments-${number}`));
  }
  project.write("rules", "# one\n*.o\n");
  expect(await files.read(project.path("rules"))).toBe("# one\n*.o\n");
  expect(files.notices).toEqual([]);
});

it("a file that many repositories share is read once, but counts each time it is stored", async () => {
  using project = new TestProject();
  project.write("rules", "x".repeat(1024 * 1024));
  const files = new RuleFiles();
  for (let repository = 1; repository <= 8; repository += 1)
    expect(await files.read(project.path("rules"))).not.toBe("");
  expect(await files.read(project.path("rules"))).toBe("");
});

it("the user's own excludes file may be a link, one that the repository names may not", async () => {
  using project = new TestProject();
  using _home = useHome(project.base);
  const secret = join(project.base, "secret");
  writeFileSync(secret, "*.secret\n");
  symlinkSync(secret, join(project.base, "linked"));
  writeFileSync(join(project.base, ".gitconfig"), `[core]\n\texcludesFile = ${project.base}/linked\n`);
  project.git("init", "-q");
  project.write("a.secret", "left out");
  project.write("b", "kept");
  expect(Object.keys(project.filesOf(await project.capture()))).toEqual(["b"]);

  const request = { session: "session-1", directory: project.directory };
  for (const [path, reason] of [
    [project.path("link"), "is a link, which is not followed."],
    [secret, "it is outside of the repository."],
  ] as const) {
    if (path !== secret) symlinkSync(secret, path);
    project.git("config", "core.excludesFile", path);
    const { id, notices } = await project.workspace.capture(request);
    expect(Object.keys(project.filesOf(id))).toContain("a.secret");
    expect(notices?.join()).toContain(reason);
  }
});

it("a file elsewhere does not become part of a checkpoint where the repository names a work tree around it", async () => {
  using project = new TestProject();
  const secret = join(project.base, "secret");
  writeFileSync(secret, "a-secret-that-lies-elsewhere\n");
  project.git("init", "-q");
  project.git("config", "core.worktree", project.base);
  project.git("config", "core.excludesFile", secret);
  project.write("sub/file", "content\n");
  const request = { session: "session-1", directory: project.path("sub") };
  const { notices } = await project.workspace.capture(request);
  expect(notices?.join()).toContain("it is outside of the repository.");
  expect(readFileSync(join(project.store, "roots/main/exclude"), "utf8")).not.toContain("a-secret");
});

function useHome(home: string): Disposable {
  const before = { HOME: process.env.HOME, XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME };
  Object.assign(process.env, { HOME: home, XDG_CONFIG_HOME: "" });
  return {
    [Symbol.dispose]() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    },
  };
}
