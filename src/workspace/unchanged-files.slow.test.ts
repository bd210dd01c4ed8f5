/** What may be taken for unchanged without asking git, and what may not. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openWorkspace } from "./open-workspace.ts";
import { runGit, SESSION, TestProject } from "./workspace-test-support.ts";

const HOUR_MS = 3_600_000;

/** A project whose git tells what it was asked to do. */
class CountedProject extends TestProject {
  readonly #log: string;

  constructor() {
    super();
    this.#log = join(this.base, "git.log");
    const bin = join(this.base, "bin");
    mkdirSync(bin);
    const script = `#!/bin/sh\necho "$@" >> '${this.#log}'\nPATH='${process.env.PATH}' exec git "$@"\n`;
    writeFileSync(join(bin, "git"), script, { mode: 0o755 });
    vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
    vi.stubEnv("HOME", this.base);
    vi.stubEnv("XDG_CONFIG_HOME", "");
  }

  /** Captures until git is not asked any more. */
  async settle(): Promise<string> {
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { id, runs } = await this.countedCapture();
      if (runs === 0) return id;
    }
    throw new Error(`git is asked again and again: ${readFileSync(this.#log, "utf8")}`);
  }

  countedCapture(): Promise<{ id: string; runs: number }> {
    return this.counted(() => this.capture());
  }

  /** How often git ran for it. */
  async counted(capture: () => Promise<string>): Promise<{ id: string; runs: number }> {
    rmSync(this.#log, { force: true });
    const id = await capture();
    const runs = existsSync(this.#log) ? readFileSync(this.#log, "utf8").trimEnd().split("\n").length : 0;
    return { id, runs };
  }

  treeOf(id: string): string {
    return runGit(this.store, "rev-parse", `${id}^{tree}`).trim();
  }
}

/** As if all files had been written some time ago. */
function letTimePass(ms: number): void {
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + ms);
}

beforeEach(() => letTimePass(10_000));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("no git is started where nothing has changed", () => {
  test.each([true, false])("in a repository: %s", async (hasRepository) => {
    using project = new CountedProject();
    if (hasRepository) project.git("init", "-q");
    project.write(".gitignore", "*.log\n/build/\n");
    for (let at = 0; at < 20; at += 1) project.write(`d${at % 3}/f${at}`, `${at}\n`);
    project.write("a.log", "ignored\n");
    project.write("build/out", "ignored\n");
    project.write("node_modules/x/index.js", "ignored where there is no repository\n");
    project.write("empty-but-for/x.log", "ignored\n");
    symlinkSync("d0", project.path("link"));
    mkdirSync(project.path("empty"));
    const first = await project.settle();
    project.write("a.log", "changed, and still ignored\n");
    project.write("build/other", "ignored\n");
    const second = await project.countedCapture();
    expect(second.runs).toBe(0);
    expect(second.id).not.toBe(first);
    expect(project.filesOf(second.id)).toEqual(project.filesOf(first));
    expect(runGit(project.store, "fsck", "--strict")).not.toMatch(/error|missing|broken/);
  });

  test("in a directory below the top level of a repository", async () => {
    using project = new CountedProject();
    project.git("init", "-q");
    project.write(".gitignore", "*.log\n");
    project.write("outside", "outside\n");
    project.write("part/a", "a\n");
    project.write("part/a.log", "ignored\n");
    const directory = project.path("part");
    const capture = async () => (await project.workspace.capture({ session: SESSION, directory })).id;
    for (let at = 0; at < 3; at += 1) expect(project.filesOf(await capture())).toEqual({ a: "a\n" });
    project.write("outside", "changed\n");
    expect(project.filesOf(await capture())).toEqual({ a: "a\n" });
    // A rule above.
    project.write(".gitignore", "\n");
    expect(project.filesOf(await capture())).toEqual({ a: "a\n", "a.log": "ignored\n" });
  });
});

describe("no git is started where files have other contents", () => {
  test.each(["", "part/"])(
    "in %j of a repository: contents, links, and whether files can be run",
    async (part) => {
      using project = new CountedProject();
      project.git("init", "-q");
      for (const name of ["a", "a.b/c", "a/b.c", "a-b", "ünï/x", "z/y/x"].map((each) => `${part}d/${each}`))
        if (!name.endsWith("/a")) project.write(name, `${name}\n`);
      project.write(`${part}program`, "#!/bin/sh\n", 0o644);
      symlinkSync("one", project.path(`${part}link`));
      const directory = project.path(part === "" ? "." : part);
      const capture = async () => (await project.workspace.capture({ session: SESSION, directory })).id;
      for (let at = 0; at < 3; at += 1) await capture();
      project.write(`${part}d/a.b/c`, "changed\n");
      project.write(`${part}d/ünï/x`, Buffer.from([0, 255, 10]));
      chmodSync(project.path(`${part}program`), 0o755);
      const other = project.path(`${part}other`);
      symlinkSync("two", other);
      renameSync(other, project.path(`${part}link`));
      const { id, runs } = await project.counted(capture);
      expect(runs).toBe(0);
      // A workspace that knows nothing asks git for everything.
      const forgetful = join(project.base, "forgetful", "workspaces");
      const fresh = openWorkspace({ directory: forgetful, limits: { minFreeBytes: 0 } });
      const expected = await fresh.capture({ session: SESSION, directory });
      const [store = ""] = readdirSync(forgetful);
      expect(project.treeOf(id)).toBe(
        runGit(join(forgetful, store), "rev-parse", `${expected.id}^{tree}`).trim(),
      );
      expect(runGit(project.store, "fsck", "--strict")).not.toMatch(/error|warning|missing|broken/);
      // The index is behind; git still finds out what changed, and what is new.
      project.write(`${part}new`, "new\n");
      const later = project.filesOf(await capture());
      expect(later).toMatchObject({ new: "new\n", "d/a.b/c": "changed\n", link: "two" });
    },
  );

  test("unless the file system does not tell whether a file can be run", async () => {
    using project = new CountedProject();
    project.git("init", "-q");
    project.git("config", "core.fileMode", "false");
    project.write("a", "one\n");
    const before = await project.settle();
    chmodSync(project.path("a"), 0o755);
    expect(project.treeOf(await project.capture())).toBe(project.treeOf(before));
    project.write("a", "two\n");
    const { id, runs } = await project.countedCapture();
    expect(runs).toBeGreaterThan(0);
    expect(runGit(project.store, "ls-tree", id)).toMatch(/^100644/);
  });

  test("and what is lost by a power cut then is given up, and the next checkpoint is right", async () => {
    using project = new CountedProject();
    project.write("a", "one\n");
    const first = await project.settle();
    project.write("a", "two\n");
    const second = await project.capture();
    const blob = runGit(project.store, "rev-parse", `${second}:a`).trim();
    const object = join(project.store, "objects", blob.slice(0, 2), blob.slice(2));
    rmSync(object);
    writeFileSync(object, "");
    const { directory, workspaces } = project;
    const later = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
    const third = await later.capture({ session: SESSION, directory });
    expect(project.filesOf(third.id)).toEqual({ a: "two\n" });
    expect(project.filesOf(first)).toEqual({ a: "one\n" });
    await expect(later.compare({ directory, from: first, to: second })).resolves.toHaveLength(1);
    await later.capture({ session: "other", directory });
    await later.forget("other");
    expect(runGit(project.store, "fsck")).not.toMatch(/error|missing|broken/);
  });
});

describe("a change is noticed", () => {
  test.each<[string, (project: TestProject) => void, (files: Record<string, string>) => void]>([
    [
      "of the same size, with the time set back",
      (project) => {
        const { atime, mtime } = statSync(project.path("a"));
        project.write("a", "two\n");
        utimesSync(project.path("a"), atime, mtime);
      },
      (files) => expect(files.a).toBe("two\n"),
    ],
    [
      "by a file of the same size and time that is renamed into place",
      (project) => {
        const { atime, mtime } = statSync(project.path("a"));
        project.write("a.log", "two\n");
        utimesSync(project.path("a.log"), atime, mtime);
        renameSync(project.path("a.log"), project.path("a"));
      },
      (files) => expect(files.a).toBe("two\n"),
    ],
    [
      "of a file that is deleted",
      (project) => project.remove("a"),
      (files) => expect(files).not.toHaveProperty("a"),
    ],
    [
      "of a new file in an empty directory",
      (project) => project.write("empty/new", "new\n"),
      (files) => expect(files["empty/new"]).toBe("new\n"),
    ],
    [
      "of a new file in a directory that has nothing but ignored ones",
      (project) => project.write("logs/new", "new\n"),
      (files) => expect(files["logs/new"]).toBe("new\n"),
    ],
    [
      "of an ignored directory that becomes a file, which no rule ignores",
      (project) => {
        project.remove("build");
        project.write("build", "a file\n");
      },
      (files) => expect(files.build).toBe("a file\n"),
    ],
    [
      "of a rule",
      (project) => project.write(".gitignore", "/build/\n"),
      (files) => expect(files["logs/x.log"]).toBe("ignored\n"),
    ],
    [
      "of a rule of the same size, with the time set back",
      (project) => {
        const { atime, mtime } = statSync(project.path(".gitignore"));
        project.write(".gitignore", "*.lag\n/build/\n");
        utimesSync(project.path(".gitignore"), atime, mtime);
      },
      (files) => expect(files["logs/x.log"]).toBe("ignored\n"),
    ],
    [
      "of a rule that is deleted",
      (project) => project.remove(".gitignore"),
      (files) => expect(files["build/out"]).toBe("ignored\n"),
    ],
    [
      "of rules of the repository alone",
      (project) => writeFileSync(project.path(".git/info/exclude"), "new\n"),
      (files) => expect(files).not.toHaveProperty("new"),
    ],
    [
      "of the person's own rules",
      (project) => {
        writeFileSync(join(project.base, ".gitconfig"), `[core]\n\texcludesFile = ${project.base}/rules\n`);
        writeFileSync(join(project.base, "rules"), "new\n");
      },
      (files) => expect(files).not.toHaveProperty("new"),
    ],
    [
      "of the person's own rules in a file that is included",
      (project) => {
        writeFileSync(join(project.base, "included"), `[core]\n\texcludesFile = ${project.base}/rules\n`);
        writeFileSync(join(project.base, "rules"), "new\n");
      },
      (files) => expect(files).not.toHaveProperty("new"),
    ],
    [
      "of a repository that goes: its own rules go with it",
      (project) => rmSync(project.path(".git"), { recursive: true }),
      (files) => expect(files.private).toBe("ignored\n"),
    ],
    [
      "of an ignored file that the repository has by now",
      (project) => project.git("add", "-f", "build/out"),
      (files) => expect(files["build/out"]).toBe("ignored\n"),
    ],
    [
      "of a repository that appears inside, with rules of its own",
      (project) => {
        project.write("inner/x.log", "no rule of this repository\n");
        runGit(project.path("inner"), "init", "-q");
      },
      (files) => expect(files["inner/x.log"]).toBe("no rule of this repository\n"),
    ],
  ])("%s", async (_name, change, check) => {
    using project = new CountedProject();
    writeFileSync(join(project.base, ".gitconfig"), `[include]\n\tpath = included\n`);
    project.git("init", "-q");
    writeFileSync(project.path(".git/info/exclude"), "private\n");
    project.write(".gitignore", "*.log\n/build/\n");
    project.write("a", "one\n");
    project.write("sub/file", "sub\n");
    project.write("logs/x.log", "ignored\n");
    project.write("build/out", "ignored\n");
    project.write("private", "ignored\n");
    mkdirSync(project.path("empty"));
    await project.settle();
    change(project);
    if (!existsSync(project.path("new"))) project.write("new", "new\n");
    check(project.filesOf(await project.capture()));
  });

  test("of a directory that a file has taken the place of, just after a file in it changed", async () => {
    vi.restoreAllMocks();
    using project = new CountedProject();
    project.write("d/a", "one\n");
    project.write("e", "two\n");
    await project.capture();
    project.write("d/a", "now\n");
    await project.capture();
    project.remove("d");
    project.write("d", "a file\n");
    expect(project.filesOf(await project.capture())).toEqual({ d: "a file\n", e: "two\n" });
  });

  test("of a link, and of whether a file can be run", async () => {
    using project = new CountedProject();
    project.write("program", "#!/bin/sh\n", 0o644);
    symlinkSync("one", project.path("link"));
    const first = project.treeOf(await project.settle());
    chmodSync(project.path("program"), 0o755);
    const second = project.treeOf(await project.settle());
    rmSync(project.path("link"));
    symlinkSync("two", project.path("link"));
    const third = project.treeOf(await project.settle());
    expect(new Set([first, second, third]).size).toBe(3);
    expect(project.filesOf(third)).toMatchObject({ link: "two" });
  });

  test("in the same tick of the clock, with the same size and time", async () => {
    vi.restoreAllMocks();
    using project = new CountedProject();
    const time = new Date();
    for (let round = 0; round < 30; round += 1) {
      project.write("a", `round ${round % 10}\n`);
      utimesSync(project.path("a"), time, time);
      const id = await project.capture();
      project.write("a", `later ${round % 10}\n`);
      utimesSync(project.path("a"), time, time);
      expect(project.filesOf(id)).toEqual({ a: `round ${round % 10}\n` });
      expect(project.filesOf(await project.capture())).toEqual({ a: `later ${round % 10}\n` });
    }
  });

  test("of more files than are read without git, with the same size and time", async () => {
    vi.restoreAllMocks();
    using project = new CountedProject();
    const time = new Date(Date.now() - HOUR_MS);
    for (let round = 0; round < 4; round += 1) {
      const names = Array.from({ length: 100 }, (_, at) => `d${at % 5}/f${at}`);
      for (const name of names) {
        project.write(name, `round ${round}\n`);
        utimesSync(project.path(name), time, time);
      }
      const files = project.filesOf(await project.capture());
      expect(files).toEqual(Object.fromEntries(names.map((name) => [name, `round ${round}\n`])));
    }
  });

  test("where the clock of the system was set back", async () => {
    using project = new CountedProject();
    project.write("a", "one\n");
    await project.settle();
    vi.restoreAllMocks();
    letTimePass(-HOUR_MS);
    // Times say nothing then: git looks, and what changed in between is read.
    expect((await project.countedCapture()).runs).toBeGreaterThan(0);
    project.write("a", "two\n");
    expect(project.filesOf(await project.capture())).toEqual({ a: "two\n" });
    expect(project.filesOf(await project.settle())).toEqual({ a: "two\n" });
  });

  test("where a tracked file comes back into a directory that is ignored", async () => {
    using project = new CountedProject();
    project.git("init", "-q");
    project.write(".gitignore", "/build/\n");
    project.write("build/kept", "kept\n");
    project.write("build/other", "ignored\n");
    project.git("add", "-f", "build/kept");
    project.write("a", "one\n");
    const files = { ".gitignore": "/build/\n", a: "one\n", "build/kept": "kept\n" };
    expect(project.filesOf(await project.settle())).toEqual(files);
    project.write("build/kept", "changed\n");
    expect(project.filesOf(await project.settle())).toEqual({ ...files, "build/kept": "changed\n" });
    project.remove("build/kept");
    for (let at = 0; at < 3; at += 1)
      expect(project.filesOf(await project.capture())).not.toHaveProperty("build/kept");
    project.write("build/kept", "back\n");
    expect(project.filesOf(await project.capture())).toEqual({ ...files, "build/kept": "back\n" });
  });
});

describe("git looks again", () => {
  test.each<[string, (project: CountedProject) => void]>([
    ["where the index is lost", ({ store }) => rmSync(join(store, "roots/main/index"))],
    [
      "where the index is damaged",
      ({ store }) => writeFileSync(join(store, "roots/main/index"), "DIRC damaged"),
    ],
    [
      "where the files of the last checkpoint are lost from our repository",
      (project) => {
        const tree = project.treeOf(
          runGit(project.store, "rev-parse", `refs/checkpoints/${SESSION}/1`).trim(),
        );
        rmSync(join(project.store, "objects", tree.slice(0, 2), tree.slice(2)));
      },
    ],
  ])("%s", async (_name, damage) => {
    using project = new CountedProject();
    project.write("a", "one\n");
    project.write("d/b", "two\n");
    await project.settle();
    damage(project);
    const { id, runs } = await project.countedCapture();
    expect(runs).toBeGreaterThan(0);
    expect(project.filesOf(id)).toEqual({ a: "one\n", "d/b": "two\n" });
    expect(project.filesOf(await project.settle())).toEqual({ a: "one\n", "d/b": "two\n" });
  });

  test("where the repository of the person is gone", async () => {
    using project = new CountedProject();
    project.git("init", "-q");
    for (let at = 0; at < 600; at += 1) project.write(`d${at % 7}/f${at}`, `content ${at}\n`);
    project.git("add", ".");
    project.git("commit", "-qm", "first");
    const before = project.filesOf(await project.settle());
    rmSync(project.path(".git"), { recursive: true });
    const { id, runs } = await project.countedCapture();
    expect(runs).toBeGreaterThan(0);
    expect(project.filesOf(id)).toEqual(before);
    expect(runGit(project.store, "fsck", "--full")).not.toMatch(/missing|broken/);
  });

  test("after another process has made a checkpoint, and after all was packed", async () => {
    using project = new CountedProject();
    project.write("a", "one\n");
    await project.settle();
    const { directory, workspaces } = project;
    const other = openWorkspace({ directory: workspaces, limits: { minFreeBytes: 0 } });
    project.write("a", "two\n");
    await other.capture({ session: "other", directory });
    project.write("a", "one\n");
    expect(project.filesOf(await project.settle())).toEqual({ a: "one\n" });
    await other.forget("other");
    await other.collectGarbage();
    expect(readdirSync(join(project.store, "objects/pack"))).not.toEqual([]);
    expect(project.filesOf(await project.settle())).toEqual({ a: "one\n" });
  });
});

/** Few names and contents, so that much is the same as before, or almost. */
const step = fc.record({
  kind: fc.constantFrom(
    "write",
    "write",
    "append",
    "delete",
    "rename",
    "rules",
    "mode",
    "link",
    "folder",
    "init",
  ),
  path: fc.constantFrom("a", "b.log", "d/a", "d/b.log", "d/e/a", "build/x", "build/e/y", "node_modules/z"),
  to: fc.constantFrom("a", "b.log", "d/a", "d/e/a", "build/x", "d/c"),
  value: fc.nat(2),
  keepsTime: fc.boolean(),
});

test("a workspace that remembers makes the checkpoints of one that does not", async () => {
  const story = fc.record({
    hasRepository: fc.boolean(),
    isSettled: fc.boolean(),
    steps: fc.array(fc.array(step, { maxLength: 3 }), { minLength: 3, maxLength: 8 }),
  });
  const play = async ({
    hasRepository,
    isSettled,
    steps,
  }: typeof story extends fc.Arbitrary<infer T> ? T : never) => {
    vi.restoreAllMocks();
    if (isSettled) letTimePass(10_000);
    using project = new CountedProject();
    if (hasRepository) project.git("init", "-q");
    project.write(".gitignore", "*.log\n");
    const forgetful = join(project.base, "forgetful", "workspaces");
    for (const edits of steps) {
      for (const each of edits) perform(project, each);
      const id = await project.capture();
      const again = await project.capture();
      const other = openWorkspace({ directory: forgetful, limits: { minFreeBytes: 0 } });
      const expected = await other.capture({ session: SESSION, directory: project.directory });
      const [store = ""] = readdirSync(forgetful);
      const tree = runGit(join(forgetful, store), "rev-parse", `${expected.id}^{tree}`).trim();
      expect([project.treeOf(id), project.treeOf(again)]).toEqual([tree, tree]);
    }
  };
  await fc.assert(fc.asyncProperty(story, play), { numRuns: 6 });
}, 120_000);

function perform(
  project: TestProject,
  { kind, path, to, value, keepsTime }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): void {
  const full = project.path(path);
  const before = existsSync(full) ? statSync(full) : undefined;
  try {
    if (kind === "write") project.write(path, `${value}\n`);
    if (kind === "append") appendFileSync(full, "x");
    if (kind === "delete") rmSync(full, { recursive: true });
    if (kind === "rename") renameSync(full, project.path(to));
    if (kind === "rules") project.write(".gitignore", ["*.log\n", "build/\n", "!a\nd\n"][value]!);
    if (kind === "mode") chmodSync(full, value === 0 ? 0o755 : 0o644);
    if (kind === "link") symlinkSync(String(value), full);
    if (kind === "folder") mkdirSync(project.path(`${to}-folder`), { recursive: true });
    if (kind === "init" && value === 0) runGit(project.path("d/e"), "init", "-q");
    if (keepsTime && before) utimesSync(full, before.atime, before.mtime);
  } catch {
    // Not everything can be done to everything.
  }
}
