import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HeldDirectory } from "../files/held-directory.ts";
import { HungError } from "../files/read-gate.ts";
import { until } from "../testkit/until.ts";
import { BlockingFileError } from "./blocking-files.ts";
import { askGit } from "./git.ts";
import { type GitChildren, withGitChildren } from "./git-children.ts";
import { openFileLister } from "./list-files.ts";
import { GitMemoryError, GitTimeoutError, runGit } from "./run-git.ts";
import { UnansweredDirectories } from "./unanswered-directories.ts";
import { findUserRepository } from "./user-repository.ts";
import { SESSION, TestProject } from "./workspace-test-support.ts";
import { openWorktrees } from "./worktrees.ts";

const environment = { PATH: process.env.PATH };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

it("git that waits is ended at its limit, with what it has started and what ignores SIGTERM", async () => {
  using project = new TestProject();
  project.write("waits", `#!/bin/sh\ntrap '' TERM\necho $$ > ${project.path("pid")}\nsleep 600\n`, 0o755);
  const args = ["-c", `alias.wait=!${project.path("waits")}`, "wait"];
  const running = runGit("wait", args, { cwd: project.directory, environment, limitMs: 500 });
  await expect(running).rejects.toThrow(new GitTimeoutError("wait", project.directory, 500).message);
  await until(() => !isAlive(Number(project.read("pid"))));
});

it("git that says too much is ended", async () => {
  using project = new TestProject();
  const args = ["-c", "alias.talk=!yes", "talk"];
  const options = { cwd: project.directory, environment, limitMs: 60_000 };
  expect((await runGit("talk", args, { ...options, maxOutputBytes: 1000 })).isCut).toBe(true);
  const loud = ["-c", "alias.talk=!yes >&2", "talk"];
  await expect(runGit("talk", loud, options)).rejects.toThrow("said more than can be read");
});

it.each([
  ["stays in the group of git", "sleep 600 & echo $! > pid; echo answer"],
  ["leaves the group of git", "setsid sleep 600 & echo $! > pid; echo answer"],
])("a process that %s and keeps its output open does not hold up the answer", async (_, script) => {
  using project = new TestProject();
  const options = { cwd: project.directory, environment, limitMs: 600_000 };
  const { stdout } = await runGit("x", ["-c", `alias.x=!${script}`, "x"], options);
  expect(stdout.toString()).toBe("answer\n");
  const pid = Number(project.read("pid"));
  if (script.startsWith("setsid")) process.kill(pid);
  await until(() => !isAlive(pid));
});

it("a process that goes on talking after git has exited is ended at the limit", async () => {
  using project = new TestProject();
  const talk = "alias.x=!(while sleep 0.1; do echo more; done) & echo $! > pid";
  const options = { cwd: project.directory, environment, limitMs: 2500 };
  await expect(runGit("x", ["-c", talk, "x"], options)).rejects.toThrow(GitTimeoutError);
  await until(() => !isAlive(Number(project.read("pid"))));
});

it.runIf(process.platform === "linux")(
  "git has a limit of memory for files that nobody looks at before",
  async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.git(
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@localhost",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "a",
    );
    mkdirSync(project.path(".git/info"), { recursive: true });
    symlinkSync("/dev/zero", project.path(".git/info/grafts"));
    await expect(askGit(project.directory, ["rev-parse", "--verify", "HEAD^{commit}"])).rejects.toThrow(
      new GitMemoryError("rev-parse", project.directory).message,
    );
  },
);

it("the daemon's reaper is told of each git, and each is marked", async () => {
  const groups = new Set<number>();
  const seen: string[] = [];
  const children: GitChildren = {
    watch: (group) => void groups.add(group),
    forget: (group) => void groups.delete(group),
    environment: { OWNED: "by this daemon" },
  };
  const service = withGitChildren(
    {
      async ask() {
        const running = runGit("env", ["-c", "alias.env=!echo $OWNED", "env"], {
          ...{ cwd: "/", environment, limitMs: 60_000 },
        });
        expect(groups.size).toBe(1);
        seen.push((await running).stdout.toString());
      },
    },
    children,
  );
  await service.ask();
  expect(seen).toEqual(["by this daemon\n"]);
  expect(groups.size).toBe(0);
});

it.each([".git/HEAD", ".git/config", ".git/index", ".git/info/exclude", ".gitignore"])(
  "a pipe in place of %s is found before git is asked",
  async (name) => {
    using project = new TestProject();
    project.git("init", "-q");
    execFileSync("sh", [
      "-c",
      'rm -f "$1" && mkdir -p "$(dirname "$1")" && mkfifo "$1"',
      "sh",
      project.path(name),
    ]);
    await expect(findUserRepository(project.directory)).rejects.toThrow(
      new BlockingFileError(project.path(name)).message,
    );
  },
);

it.each(["/dev/zero", "a folder that has one to /dev/zero"])(
  "alternates that are %s are not read by git",
  async (to) => {
    using project = new TestProject();
    project.git("init", "-q");
    mkdirSync(project.path("other/info"), { recursive: true });
    symlinkSync("/dev/zero", project.path("other/info/alternates"));
    if (to === "/dev/zero") symlinkSync(to, project.path(".git/objects/info/alternates"));
    else project.write(".git/objects/info/alternates", `${project.path("other")}\n`);
    await expect(askGit(project.directory, ["rev-parse", "--git-dir"])).rejects.toThrow(BlockingFileError);
  },
);

/** Files that would lead git to an endless file, where its format was not understood. */
const DETOURS: Readonly<Record<string, (project: TestProject, evil: string) => void>> = {
  "alternates in quotes": (project, evil) =>
    project.write(".git/objects/info/alternates", `"${evil.replace("evil", "\\145vil")}"\n`),
  "alternates behind many harmless ones": (project, evil) =>
    project.write(
      ".git/objects/info/alternates",
      `${Array.from({ length: 70 }, (_, number) => `/nowhere/${number}\n`).join("")}${evil}\n`,
    ),
  "alternates behind a long comment": (project, evil) =>
    project.write(".git/objects/info/alternates", `#${"x".repeat(1_100_000)}\n${evil}\n`),
  "a branch that names another one": (project) => {
    project.write(".git/HEAD", "ref: refs/heads/one\n");
    project.write(".git/refs/heads/one", "ref: refs/heads/two\n");
    symlinkSync("/dev/zero", project.path(".git/refs/heads/two"));
  },
  "an included config with a comment behind it": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", "[include]\n\tpath = more # my settings\n");
  },
  "an included config behind a condition with a semicolon, on one line": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", '[includeIf "gitdir:/;x"] path=more\n');
  },
  "an included config whose name goes on in the next line": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", "[include]\n\tpath = mo\\\nre\n");
  },
  "an included config with quotes and escapes in its name": (project) => {
    symlinkSync("/dev/zero", project.path('.git/mo;"re'));
    project.write(".git/config", '[include]path=m"o;\\"r"e\n');
  },
  "an included config whose name goes on in the next line behind spaces": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", "[include]\n\tpath = \\\n\tmore\n");
  },
  "an included config with a tab in its name, which git before 2.45 makes a space": (project) => {
    symlinkSync("/dev/zero", project.path(".git/mo re"));
    project.write(".git/config", "[include]\n\tpath = mo\tre\n");
  },
  "an included config whose name ends at a zero byte": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", "[include]\n\tpath = more\0x\n");
  },
  "an include that a zero byte makes one": (project) => {
    symlinkSync("/dev/zero", project.path(".git/more"));
    project.write(".git/config", '[include "path\0"]\n\tx = more\n');
  },
  "an included config above the folder that a link leads to": (project) => {
    mkdirSync(project.path(".git/other/folder"), { recursive: true });
    symlinkSync("other/folder", project.path(".git/link"));
    symlinkSync("/dev/zero", project.path(".git/other/more"));
    project.write(".git/config", "[include]\n\tpath = link/../more\n");
  },
  "an included config with a byte in its name that is no text": (project) => {
    symlinkSync("/dev/zero", Buffer.from(project.path(".git/mo\xff"), "latin1"));
    writeFileSync(project.path(".git/config"), Buffer.from("[include]\n\tpath = mo\xff\n", "latin1"));
  },
  "attributes beside the files": (project) => {
    symlinkSync("/dev/zero", project.path("rules"));
    project.write(".git/config", "[core]\n\tattributesFile = rules\n");
  },
  "attributes that are optional": (project) => {
    symlinkSync("/dev/zero", project.path("rules"));
    project.write(".git/config", "[core]\n\tattributesFile = :(optional)rules\n");
  },
  "a repository above the folder that a link leads to": (project, evil) => {
    mkdirSync(`${evil}/folder`);
    symlinkSync(`${evil}/folder`, project.path("link"));
    renameSync(project.path(".git"), `${evil}/repository`);
    rmSync(`${evil}/repository/config`);
    symlinkSync("/dev/zero", `${evil}/repository/config`);
    project.write(".git", "gitdir: link/../repository\n");
  },
  "a repository whose name ends at a zero byte": (project, evil) => {
    renameSync(project.path(".git"), `${evil}/repository`);
    rmSync(`${evil}/repository/config`);
    symlinkSync("/dev/zero", `${evil}/repository/config`);
    project.write(".git", "gitdir: evil/repository\0x\n");
  },
  "alternates of objects that are a link": (project, evil) => {
    mkdirSync(`${evil}/below`);
    renameSync(project.path(".git/objects"), `${evil}/below/objects`);
    symlinkSync(`${evil}/below/objects`, project.path(".git/objects"));
    project.write("evil/below/objects/info/alternates", "../..\n");
  },
  "an included config below the home directory of another user": (project) =>
    project.write(".git/config", "[include]\n\tpath = ~sys/zero\n"),
  "an included config below git's own folder": (project) =>
    project.write(".git/config", "[include]\n\tpath = %(prefix)/../dev/zero\n"),
};

it.each(Object.keys(DETOURS))("%s cannot lead git to an endless file", async (name) => {
  using project = new TestProject();
  project.git("init", "-q");
  mkdirSync(project.path("evil/info"), { recursive: true });
  symlinkSync("/dev/zero", project.path("evil/info/alternates"));
  DETOURS[name]!(project, project.path("evil"));
  await expect(findUserRepository(project.directory)).rejects.toThrow(BlockingFileError);
  await expect(project.capture()).rejects.toThrow(`Remove it.`);
});

it.each([
  [".git", `gitdir: ${"\n".repeat(500_000)}x`],
  [".git/config", `[core]\n${"\r".repeat(500_000)}`],
])("line ends without number in %s do not stop the event loop", async (name, text) => {
  using project = new TestProject();
  if (name !== ".git") project.git("init", "-q");
  project.write(name, text);
  // With the square of the length it would take minutes.
  await askGit(project.directory, ["rev-parse", "--git-dir"]).catch(() => {});
});

it("pipes above a repository, or above a directory without one, do not concern it", async () => {
  using project = new TestProject();
  execFileSync("mkfifo", [join(project.base, ".gitignore"), join(project.base, ".git")]);
  expect(await findUserRepository(project.directory)).toBeUndefined();
  project.write("file", "content\n");
  expect(project.filesOf(await project.capture())).toEqual({ file: "content\n" });
  project.git("init", "-q");
  expect(await findUserRepository(project.directory)).toMatchObject({ root: project.directory });
});

// Only root can make a file of another user.
it.runIf(process.getuid?.() === 0)(
  "a HEAD of another user above a directory does not end its checkpoints",
  async () => {
    using project = new TestProject();
    const pipe = join(project.base, "HEAD");
    execFileSync("mkfifo", [pipe]);
    project.write("file", "content\n");
    await expect(findUserRepository(project.directory)).rejects.toThrow(new BlockingFileError(pipe).message);
    chownSync(pipe, 65534, 65534);
    expect(await findUserRepository(project.directory)).toBeUndefined();
    expect(project.filesOf(await project.capture())).toEqual({ file: "content\n" });
  },
);

it("a pipe above a directory that is held open is found before git is asked", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write("sub/file", "content\n");
  project.remove(".git/config");
  execFileSync("mkfifo", [project.path(".git/config")]);
  await using held = await HeldDirectory.open(project.path("sub"));
  const asking = findUserRepository(held.path, { cwd: held.at() });
  await expect(asking).rejects.toThrow(new BlockingFileError(project.path(".git/config")).message);
  expect((await openFileLister().list(held.path, held.at())).paths).toEqual(["file"]);
});

it("a repository that git cannot use gets a notice, and is not taken for none", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write("file", "content\n");
  project.write(".git/config", "[broken\n");
  const request = { session: SESSION, directory: project.directory };
  expect((await project.workspace.capture(request)).notices?.join()).toContain("fatal: bad config line 1");
  await expect(findUserRepository(project.directory)).rejects.toThrow("git cannot use the repository");
  project.remove(".git");
  mkdirSync(project.path(".git"));
  expect((await project.workspace.capture(request)).notices?.join()).toContain(
    `${project.path(".git")} are not used: git takes it for no repository.`,
  );
});

it("no worktree is made of a repository with a pipe in place of HEAD, and the reason names the pipe", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.remove(".git/HEAD");
  execFileSync("mkfifo", [project.path(".git/HEAD")]);
  const worktrees = openWorktrees({
    directory: join(project.data, "worktrees"),
    workspacesOf: () => project.workspaces,
  });
  await expect(worktrees.add({ session: "s", directory: project.directory })).rejects.toMatchObject({
    code: "worktree_impossible",
    message: expect.stringContaining(project.path(".git/HEAD")),
  });
});

it("a pipe in place of a file that only git knows of is found soon, and named", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write("a/file", "content\n");
  project.git("add", ".");
  project.git("update-index", "--split-index");
  const name = readdirSync(project.path(".git")).find((each) => each.startsWith("sharedindex."))!;
  project.remove(`.git/${name}`);
  execFileSync("mkfifo", [project.path(`.git/${name}`)]);
  const asking = askGit(project.path("a"), ["ls-files", "-z", "-c"]);
  await expect(asking).rejects.toThrow(new BlockingFileError(project.path(`.git/${name}`)).message);
});

it("a directory in which git did not answer is not asked about again for a while", async () => {
  using project = new TestProject();
  const timeout = new GitTimeoutError("ls-files", "/x", 1000);
  const patient = new UnansweredDirectories();
  const fail = () => Promise.reject(timeout);
  await expect(patient.run("/x", fail)).rejects.toBe(timeout);
  await expect(patient.run("/x", async () => "asked")).rejects.toBe(timeout);
  expect(await patient.run("/y", async () => "asked")).toBe("asked");
  const impatient = new UnansweredDirectories(0);
  await expect(impatient.run("/x", fail)).rejects.toBe(timeout);
  expect(await impatient.run("/x", async () => "asked")).toBe("asked");

  const hung = new HungError("/disk");
  await expect(patient.run("/disk", () => Promise.reject(hung))).rejects.toBe(hung);
  await expect(patient.run("/disk", async () => "asked")).rejects.toBe(hung);

  execFileSync("mkfifo", [project.path("pipe")]);
  const blocking = new BlockingFileError(project.path("pipe"));
  await expect(patient.run("/z", () => Promise.reject(blocking))).rejects.toBe(blocking);
  await expect(patient.run("/z", async () => "asked")).rejects.toBe(blocking);
  project.remove("pipe");
  expect(await patient.run("/z", async () => "asked")).toBe("asked");
});

it("a partial clone cannot name a program that fetches what it lacks", async () => {
  using project = new TestProject();
  project.write("evil", `#!/bin/sh\ntouch ${project.path("ran")}\n`);
  chmodSync(project.path("evil"), 0o755);
  project.git("init", "-q", "-b", "main");
  mkdirSync(project.path(".git/refs/heads"), { recursive: true });
  project.write(".git/refs/heads/main", `${"1".repeat(40)}\n`);
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", project.directory],
    ["remote.origin.uploadpack", project.path("evil")],
  ] as const)
    project.git("config", name, value);
  const worktrees = openWorktrees({
    directory: join(project.data, "worktrees"),
    workspacesOf: () => project.workspaces,
  });
  await expect(worktrees.add({ session: "s", directory: project.directory })).rejects.toThrow(
    "no commit yet",
  );
  expect(existsSync(project.path("ran"))).toBe(false);
});
