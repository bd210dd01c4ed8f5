import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
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
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CheckpointRecord } from "./checkpoint-record.ts";
import { openWorkspace } from "./open-workspace.ts";
import { readRepository, readTree, runGit, SESSION, TestProject } from "./workspace-test-support.ts";

/** A user without rights, where the tests run as root. */
const NOBODY = 65_534;

afterEach(() => vi.unstubAllEnvs());

test("a checkpoint has the files of a directory without a repository", async () => {
  using project = new TestProject();
  project.write("a.txt", "one\n");
  project.write("b/c.txt", "two\n");
  project.write("node_modules/x/index.js", "large\n");
  const first = await project.workspace.capture({ session: SESSION, directory: project.directory });
  expect(first.id).toMatch(/^[0-9a-f]{40}$/);
  expect(first.uncovered).toEqual([]);
  expect(project.filesOf(first.id)).toEqual({ "a.txt": "one\n", "b/c.txt": "two\n" });
  expect(existsSync(project.path(".git"))).toBe(false);
});

test("an empty directory has checkpoints, each with an id of its own", async () => {
  using project = new TestProject();
  const ids = [await project.capture(), await project.capture(), await project.capture("other")];
  expect(new Set(ids).size).toBe(3);
  expect(project.filesOf(ids[2]!)).toEqual({});
});

test("what changed since is in the next one, also in the same instant and with the same size", async () => {
  using project = new TestProject();
  for (let round = 0; round < 20; round += 1) {
    project.write("a.txt", `round ${round % 10}\n`);
    expect(project.filesOf(await project.capture())).toEqual({ "a.txt": `round ${round % 10}\n` });
  }
  project.remove("a.txt");
  expect(project.filesOf(await project.capture())).toEqual({});
});

test("a workspace that is opened later goes on with the same repository", async () => {
  using project = new TestProject();
  project.write("a.txt", "one\n");
  const first = await project.capture();
  const later = openWorkspace({ directory: project.workspaces, limits: { minFreeBytes: 0 } });
  const second = await later.capture({ session: SESSION, directory: project.directory });
  expect(second.id).not.toBe(first);
  expect(project.filesOf(first)).toEqual(project.filesOf(second.id));
});

describe("in a repository of the person", () => {
  test("it is byte for byte as before, and its hooks, filters and monitors do not run", async () => {
    using project = new TestProject();
    const ran = join(project.base, "ran");
    project.git("init", "-q");
    project.write("a.txt", "one\n");
    project.write("large.bin", "content\n");
    project.git("add", ".");
    project.git("commit", "-qm", "first");
    project.write(".gitattributes", "*.bin filter=lfs\n*.txt ident text eol=crlf\n");
    for (const hook of ["post-index-change", "post-checkout", "reference-transaction", "pre-commit"]) {
      writeFileSync(project.path(`.git/hooks/${hook}`), `#!/bin/sh\necho ${hook} >> ${ran}\n`, {
        mode: 0o755,
      });
    }
    project.git("config", "filter.lfs.clean", `sh -c 'echo clean >> ${ran}; cat'`);
    project.git("config", "filter.lfs.required", "true");
    project.git("config", "core.fsmonitor", `echo monitor >> ${ran}; true`);
    project.write("a.txt", "changed\n");
    project.write("new.txt", "new\n");
    project.write("large.bin", "changed\n");
    const before = readRepository(project.path(".git"));
    const first = await project.capture();
    project.write("a.txt", "again\n");
    const second = await project.capture();
    await project.workspace.compare({ directory: project.directory, from: first, to: second });
    const { restored } = await project.restore(first, [[first, second]]);
    await project.workspace.collectGarbage();
    expect(restored).toEqual(["a.txt"]);
    expect(project.read("a.txt")).toBe("changed\n");
    expect(readRepository(project.path(".git"))).toEqual(before);
    expect(existsSync(ran)).toBe(false);
  });

  test("ignored files stay out, and tracked ones are in although a rule ignores them", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write(".gitignore", "*.log\n/build/\n");
    project.write("tracked.log", "tracked\n");
    project.git("add", "-f", "tracked.log");
    writeFileSync(project.path(".git/info/exclude"), "private/\n");
    project.write("other.log", "ignored\n");
    project.write("build/out", "ignored\n");
    project.write("private/notes", "ignored\n");
    project.write("sub/build/source", "not ignored\n");
    expect(Object.keys(project.filesOf(await project.capture()))).toEqual([
      ".gitignore",
      "sub/build/source",
      "tracked.log",
    ]);
    project.write("tracked.log", "changed\n");
    expect(project.filesOf(await project.capture())["tracked.log"]).toBe("changed\n");
    project.remove("tracked.log");
    expect(Object.keys(project.filesOf(await project.capture()))).not.toContain("tracked.log");
    project.write("tracked.log", "back\n");
    expect(project.filesOf(await project.capture())["tracked.log"]).toBe("back\n");
  });

  test("the person's own ignore file is honoured", async () => {
    using project = new TestProject();
    const home = join(project.base, "home");
    mkdirSync(join(home, ".config/git"), { recursive: true });
    writeFileSync(join(home, ".config/git/ignore"), "*.swp\n");
    vi.stubEnv("HOME", home);
    vi.stubEnv("XDG_CONFIG_HOME", "");
    project.git("init", "-q");
    project.write("a.swp", "ignored");
    project.write("a", "kept");
    expect(Object.keys(project.filesOf(await project.capture()))).toEqual(["a"]);
    writeFileSync(join(home, ".gitconfig"), `[core]\n\texcludesFile = ~/mine\n`);
    writeFileSync(join(home, "mine"), "b*\n");
    project.write("b", "ignored");
    expect(Object.keys(project.filesOf(await project.capture()))).toEqual(["a", "a.swp"]);
  });

  test("only the session's directory is covered, by the rules of the whole repository", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write(".gitignore", "/packages/a/dist\n*.tmp\n");
    project.write("README.md", "outside\n");
    project.write("packages/b/x", "outside\n");
    project.write("packages/a/dist/x", "ignored\n");
    project.write("packages/a/x.tmp", "ignored\n");
    project.write("packages/a/src/x", "inside\n");
    project.write("packages/a/.gitignore", "local\n");
    project.write("packages/a/local", "ignored\n");
    const directory = project.path("packages/a");
    const { id } = await project.workspace.capture({ session: SESSION, directory });
    expect(project.filesOf(id)).toEqual({ ".gitignore": "local\n", "src/x": "inside\n" });
    project.remove("packages/a/src");
    project.remove("packages/a/.gitignore");
    project.remove("packages/a/local");
    const empty = await project.workspace.capture({ session: SESSION, directory });
    expect(project.filesOf(empty.id)).toEqual({});
  });

  test("the first checkpoint of many files writes new times on the objects of the person's repository", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    for (let at = 0; at < 600; at += 1) project.write(`d${at % 7}/f${at}`, `content ${at}\n`);
    project.git("add", ".");
    project.git("commit", "-qm", "first");
    project.write("new", "not in the repository\n");
    const before = readRepository(project.path(".git"));
    const id = await project.capture();
    expect(readRepository(project.path(".git"))).toEqual(before);
    rmSync(project.path(".git"), { recursive: true });
    const check = runGit(project.store, "fsck", "--full", "--connectivity-only");
    expect(check).not.toContain("missing");
    expect(existsSync(join(project.store, "objects/info/alternates"))).toBe(false);
    expect(Object.keys(project.filesOf(id))).toHaveLength(601);
  });
});

test("a hostile environment reaches neither our repository nor the person's", async () => {
  using project = new TestProject();
  project.git("init", "-q");
  project.write("a", "content\n");
  project.git("add", "a");
  const before = readRepository(project.path(".git"));
  vi.stubEnv("GIT_INDEX_FILE", project.path(".git/index"));
  vi.stubEnv("GIT_DIR", project.path(".git"));
  vi.stubEnv("GIT_WORK_TREE", "/");
  vi.stubEnv("GIT_OBJECT_DIRECTORY", project.path(".git/objects"));
  vi.stubEnv("GIT_CONFIG_COUNT", "1");
  vi.stubEnv("GIT_CONFIG_KEY_0", "core.hooksPath");
  vi.stubEnv("GIT_CONFIG_VALUE_0", project.path("hooks"));
  vi.stubEnv("GIT_CONFIG_PARAMETERS", "'core.bare'='broken'");
  project.write("b", "content\n");
  expect(project.filesOf(await project.capture())).toEqual({ a: "content\n", b: "content\n" });
  expect(readRepository(project.path(".git"))).toEqual(before);
});

describe("repositories inside", () => {
  test("are covered with their own rules: with commits, without, submodules, and one in another", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write(".gitignore", "*.o\n");
    const library = join(project.base, "library");
    mkdirSync(library);
    runGit(library, "init", "-q");
    writeFileSync(join(library, "lib.c"), "library\n");
    runGit(library, "add", ".");
    runGit(library, "commit", "-qm", "library");
    project.git("submodule", "--quiet", "add", library, "module");
    project.git("commit", "-qm", "first");
    for (const path of ["fresh", "vendor/old", "vendor/old/inner"]) {
      mkdirSync(project.path(path), { recursive: true });
      runGit(project.path(path), "init", "-q");
      project.write(`${path}/file`, `${path}\n`);
      project.write(`${path}/kept.o`, "no rule of this repository\n");
    }
    project.write("vendor/old/.gitignore", "secret\n");
    project.write("vendor/old/secret", "ignored\n");
    runGit(project.path("vendor/old"), "add", "file");
    runGit(project.path("vendor/old"), "commit", "-qm", "old");
    project.write("module/lib.c", "changed\n");
    const repositories = [".git", "fresh/.git", "vendor/old/.git", "vendor/old/inner/.git"];
    const before = repositories.map((path) => readRepository(project.path(path)));
    const id = await project.capture();
    const files = project.filesOf(id);
    delete files[".gitmodules"];
    expect(files).toEqual({
      ".gitignore": "*.o\n",
      "fresh/file": "fresh\n",
      "fresh/kept.o": "no rule of this repository\n",
      "module/lib.c": "changed\n",
      "vendor/old/.gitignore": "secret\n",
      "vendor/old/file": "vendor/old\n",
      "vendor/old/inner/file": "vendor/old/inner\n",
      "vendor/old/inner/kept.o": "no rule of this repository\n",
      "vendor/old/kept.o": "no rule of this repository\n",
    });
    project.write("vendor/old/inner/file", "changed\n");
    const later = project.filesOf(await project.capture());
    expect(later["vendor/old/inner/file"]).toBe("changed\n");
    expect(repositories.map((path) => readRepository(project.path(path)))).toEqual(before);
  });

  test("that come and go keep their files", async () => {
    using project = new TestProject();
    project.write("a/file", "plain\n");
    const before = project.filesOf(await project.capture());
    runGit(project.path("a"), "init", "-q");
    expect(project.filesOf(await project.capture())).toEqual(before);
    mkdirSync(project.path("b"));
    runGit(project.path("b"), "init", "-q");
    project.write("b/file", "inner\n");
    const all = { "a/file": "plain\n", "b/file": "inner\n" };
    expect(project.filesOf(await project.capture())).toEqual(all);
    project.remove("b/.git");
    expect(project.filesOf(await project.capture())).toEqual(all);
    mkdirSync(project.path("b/.git"));
    writeFileSync(project.path("b/.git/HEAD"), "broken");
    expect(project.filesOf(await project.capture())).toEqual(all);
  });

  test("with more rules than a checkpoint uses are left out, so that no ignored file is captured", async () => {
    using project = new TestProject();
    const names = Array.from({ length: 70 }, (_, number) => `inner-${number}`);
    for (const name of names) {
      mkdirSync(project.path(name));
      runGit(project.path(name), "init", "-q");
      project.write(`${name}/file`, "content\n");
    }
    expect(Object.keys(project.filesOf(await project.capture()))).toHaveLength(70);
    for (const name of names) {
      project.write(`${name}/.git/info/exclude`, ".local.txt\n");
      project.write(`${name}/.local.txt`, "secret\n");
    }
    const request = { session: SESSION, directory: project.directory };
    const { id, uncovered, notices } = await project.workspace.capture(request);
    const files = Object.keys(project.filesOf(id));
    expect(files).toHaveLength(64);
    expect(files.filter((path) => path.endsWith(".local.txt"))).toEqual([]);
    expect(uncovered).toHaveLength(6);
    expect(notices).toHaveLength(6);
  });

  test("below the top level of the person's repository", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    project.write("sub/own", "own\n");
    mkdirSync(project.path("sub/inner"));
    runGit(project.path("sub/inner"), "init", "-q");
    project.write("sub/inner/file", "inner\n");
    const { id } = await project.workspace.capture({ session: SESSION, directory: project.path("sub") });
    expect(project.filesOf(id)).toEqual({ own: "own\n", "inner/file": "inner\n" });
  });
});

describe("every kind of file", () => {
  test("is kept byte for byte, whatever attributes say", async () => {
    using project = new TestProject();
    project.git("init", "-q");
    const contents: Record<string, string> = {
      "crlf.txt": "one\r\ntwo\r\n",
      "mixed.txt": "one\r\ntwo\nthree\r",
      "ident.txt": "$Id$ and $Id: 123 $\n",
      "file.lfs": "not a pointer\n",
      "wide.utf16": Buffer.from("wide\n", "utf16le").toString("latin1"),
      empty: "",
    };
    project.write(
      ".gitattributes",
      "* text=auto eol=lf ident\n*.lfs filter=lfs\n*.utf16 working-tree-encoding=UTF-16LE\n",
    );
    for (const [path, content] of Object.entries(contents))
      project.write(path, Buffer.from(content, "latin1"));
    project.git("config", "filter.lfs.required", "true");
    project.git("config", "filter.lfs.clean", "false");
    const first = await project.capture();
    const before = readTree(project.directory);
    for (const path of Object.keys(contents)) project.remove(path);
    const second = await project.capture();
    await project.restore(first, [[first, second]]);
    expect(readTree(project.directory)).toEqual(before);
  });

  test("names may be any bytes", async () => {
    using project = new TestProject();
    const names = [
      "ünïcode",
      "line\nbreak",
      "tab\there",
      '"quoted"',
      "-dash",
      ":(glob)*",
      "sp ace",
      "back\\slash",
      "😀",
    ];
    for (const name of names) project.write(name, `${name}\n`);
    const raw = Buffer.concat([Buffer.from(`${project.directory}/`), Buffer.from([0x66, 0xff, 0xfe, 0x66])]);
    writeFileSync(raw, "bytes\n");
    const before = readTree(project.directory);
    const first = await project.capture();
    for (const name of names) project.remove(name);
    rmSync(raw);
    const second = await project.capture();
    const changes = await project.workspace.compare({
      directory: project.directory,
      from: first,
      to: second,
    });
    expect(changes.map(({ path }) => path).sort()).toEqual([...names, "f\udcff\udcfef"].sort());
    const { kept } = await project.restore(first, [[first, second]]);
    expect(kept).toEqual([]);
    expect(readTree(project.directory)).toEqual(before);
  });

  test("links are links, also broken ones and those to directories", async () => {
    using project = new TestProject();
    project.write("real/file", "content\n");
    symlinkSync("real", project.path("link"));
    symlinkSync("/nowhere", project.path("broken"));
    expect(project.filesOf(await project.capture())).toEqual({
      broken: "/nowhere",
      link: "real",
      "real/file": "content\n",
    });
    // What was a directory becomes a link: the files below it are gone.
    renameSync(project.path("real"), project.path("moved"));
    symlinkSync("moved", project.path("real"));
    expect(project.filesOf(await project.capture())).toEqual({
      broken: "/nowhere",
      link: "real",
      "moved/file": "content\n",
      real: "moved",
    });
  });

  test("directories and files may change places", async () => {
    using project = new TestProject();
    project.write("a", "file\n");
    project.write("b/c", "below\n");
    await project.capture();
    project.remove("a");
    project.remove("b");
    project.write("a/x", "below\n");
    project.write("b", "file\n");
    expect(project.filesOf(await project.capture())).toEqual({ "a/x": "below\n", b: "file\n" });
  });

  test("a pipe, and a file that is too large, are left out and named", async () => {
    using project = new TestProject({ maxFileBytes: 100 });
    project.write("a", "small\n");
    project.write("pipe", "a file first\n");
    project.write("large", "x".repeat(101));
    const { directory, workspace } = project;
    const first = await workspace.capture({ session: SESSION, directory });
    expect(first.uncovered).toEqual([{ path: "large", reason: "too-large" }]);
    project.remove("pipe");
    execFileSync("mkfifo", [project.path("pipe")]);
    project.write("a", "y".repeat(101));
    const second = await workspace.capture({ session: SESSION, directory });
    expect(project.filesOf(second.id)).toEqual({});
    expect(second.uncovered.toSorted((x, y) => x.path.localeCompare(y.path))).toEqual([
      { path: "a", reason: "too-large" },
      { path: "large", reason: "too-large" },
      { path: "pipe", reason: "special" },
    ]);
    const changes = await workspace.compare({ directory, from: first.id, to: second.id });
    expect(changes.find(({ path }) => path === "a")).toMatchObject({ status: "modified", tooLarge: true });
  });

  test.runIf(canRunUnprivileged())(
    "what cannot be read is left out and named, and comes in when it can be",
    async () => {
      using project = new TestProject();
      project.write("a", "content\n");
      project.write("file", "content\n");
      project.write("listed/known", "content\n");
      project.write("closed/known", "content\n");
      makeUnprivileged(project);
      const all = {
        a: "content\n",
        file: "content\n",
        "closed/known": "content\n",
        "listed/known": "content\n",
      };
      expect(await captureUnprivileged(project)).toEqual({ files: all, uncovered: [] });
      chmodSync(project.path("file"), 0o000);
      chmodSync(project.path("closed"), 0o000);
      // Its names can be read, its files cannot.
      chmodSync(project.path("listed"), 0o400);
      expect(await captureUnprivileged(project)).toEqual({
        files: { a: "content\n" },
        uncovered: ["closed/", "closed/known", "file", "listed/known"],
      });
      chmodSync(project.path("file"), 0o644);
      for (const name of ["closed", "listed"]) chmodSync(project.path(name), 0o755);
      expect(await captureUnprivileged(project)).toEqual({ files: all, uncovered: [] });
    },
  );

  test("a name that git takes for a repository is left out and named", async () => {
    using project = new TestProject();
    project.write(".Git/x", "strange\n");
    project.write("git~1", "fine\n");
    project.write("a", "fine\n");
    const { id, uncovered } = await project.workspace.capture({
      session: SESSION,
      directory: project.directory,
    });
    expect(uncovered).toEqual([{ path: ".Git/x", reason: "special" }]);
    expect(Object.keys(project.filesOf(id))).toEqual(["a", "git~1"]);
  });

  test("one that changes all the time is in some state of its own, and the others are right", async () => {
    using project = new TestProject();
    for (let at = 0; at < 50; at += 1) project.write(`f${at}`, `content ${at}\n`);
    project.write("busy", "x".repeat(3_000_000));
    const script = `const fs = require("node:fs");
      for (let n = 0; ; n += 1) { fs.truncateSync("busy", n % 2 ? 10 : 3000000); fs.writeFileSync("f0", "n" + n); }`;
    const writer = spawn(process.execPath, ["-e", script], { cwd: project.directory, stdio: "ignore" });
    try {
      for (let round = 0; round < 5; round += 1) {
        project.write("f1", `round ${round}\n`);
        const files = project.filesOf(await project.capture());
        expect(files.f1).toBe(`round ${round}\n`);
        expect(files.f49).toBe("content 49\n");
      }
    } finally {
      writer.kill("SIGKILL");
      await new Promise((resolve) => writer.once("close", resolve));
    }
    truncateSync(project.path("busy"), 3);
    expect(project.filesOf(await project.capture()).busy).toHaveLength(3);
  });
});

test("several sessions and several processes at once each get a checkpoint of the same files", async () => {
  using project = new TestProject();
  for (let at = 0; at < 20; at += 1) project.write(`f${at}`, `${at}\n`);
  const other = openWorkspace({ directory: project.workspaces, limits: { minFreeBytes: 0 } });
  const ids = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const workspace = at % 2 ? other : project.workspace;
      return (await workspace.capture({ session: `s${at}`, directory: project.directory })).id;
    }),
  );
  for (const id of ids) expect(Object.keys(project.filesOf(id))).toHaveLength(20);
});

test("who gives up gets no checkpoint, and the next one is right", async () => {
  using project = new TestProject();
  project.write("a", "one\n");
  const { directory, workspace } = project;
  const controller = new AbortController();
  const first = workspace.capture({ session: SESSION, directory });
  const waiting = workspace.capture({ session: SESSION, directory }, controller.signal);
  controller.abort(new Error("too late"));
  await expect(waiting).rejects.toThrow("too late");
  await first;
  for (const delay of [0, 2, 5, 10, 20]) {
    project.write("a", `after ${delay}\n`);
    const signal = AbortSignal.timeout(delay);
    await workspace
      .capture({ session: SESSION, directory }, signal)
      .catch((error) => expect(error).toBe(signal.reason));
    expect(project.filesOf(await project.capture()).a).toBe(`after ${delay}\n`);
  }
});

test("an index that is damaged or lost is made again, with files that are ignored by now", async () => {
  using project = new TestProject();
  project.write("a", "one\n");
  project.write("b", "two\n");
  await project.capture();
  project.write(".gitignore", "b\n");
  const expected = { ".gitignore": "b\n", a: "one\n", b: "two\n" };
  expect(project.filesOf(await project.capture())).toEqual(expected);
  const index = join(project.store, "roots/main/index");
  for (const damage of [
    () => rmSync(index),
    () => writeFileSync(index, "DIRC damaged"),
    () => writeFileSync(index, ""),
  ]) {
    damage();
    const again = openWorkspace({ directory: project.workspaces, limits: { minFreeBytes: 0 } });
    const { id } = await again.capture({ session: SESSION, directory: project.directory });
    expect(project.filesOf(id)).toEqual(expected);
  }
  expect(readFileSync(index).length).toBeGreaterThan(100);
});

test("only the owner can look at checkpoints", async () => {
  using project = new TestProject();
  project.write("secret", "secret\n");
  await project.capture();
  expect(statSync(project.workspaces).mode & 0o777).toBe(0o700);
  expect(statSync(project.store).mode & 0o777).toBe(0o700);
});

describe("there is no checkpoint, and a sentence why", () => {
  test("of the root, the home, the data directory and what holds or lies in it", async () => {
    using project = new TestProject();
    const { workspace, base, data, directory } = project;
    vi.stubEnv("HOME", directory);
    const inside = join(data, "inside");
    mkdirSync(inside);
    mkdirSync(project.path("sub/.git/hooks"), { recursive: true });
    expect(await workspace.obstacle("/")).toMatch("root of the file system");
    expect(await workspace.obstacle(directory)).toMatch("home directory");
    expect(await workspace.obstacle(base)).toMatch("home directory");
    expect(await workspace.obstacle(data)).toMatch("holds the data directory");
    expect(await workspace.obstacle(inside)).toMatch("in the data directory");
    expect(await workspace.obstacle(project.path("sub/.git/hooks"))).toMatch("repository's own files");
    expect(await workspace.obstacle(join(base, "nowhere"))).toMatch("not a directory");
    expect(await workspace.obstacle(project.path("sub"))).toBeUndefined();
    await expect(workspace.capture({ session: SESSION, directory })).rejects.toThrow("home directory");
  });

  test("where there are too many files, too much that is new, or no room", async () => {
    using project = new TestProject({ maxFiles: 3, maxNewBytes: 1000 });
    const { workspace, directory } = project;
    project.write("a", "x".repeat(2000));
    expect(await workspace.obstacle(directory)).toBeUndefined();
    await expect(workspace.capture({ session: SESSION, directory })).rejects.toThrow("new or changed");
    for (const name of ["a", "b", "c", "d"]) project.write(name, name);
    expect(await workspace.obstacle(directory)).toMatch("more than 3 files");
    await expect(workspace.capture({ session: SESSION, directory })).rejects.toThrow("more than 3 files");
    using full = new TestProject({ minFreeBytes: 2 ** 60 });
    await expect(full.capture()).rejects.toThrow("are free");
  });

  test("without git, with an old one, and with one that does not start", async () => {
    using project = new TestProject();
    const bin = join(project.base, "bin");
    mkdirSync(bin);
    vi.stubEnv("PATH", bin);
    expect(await project.workspace.obstacle(project.directory)).toMatch("Git is not installed");
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.31.9\n", { mode: 0o755 });
    expect(await project.workspace.obstacle(project.directory)).toMatch("Git 2.31 is too old");
    await expect(project.capture()).rejects.toThrow("too old");
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexit 128\n");
    expect(await project.workspace.obstacle(project.directory)).toMatch("Git cannot be started now");
  });
});

function unprivilegedProgram(): string {
  return join(import.meta.dirname, "fixtures/dying-workspace.ts");
}

/** Not where the project lies in a directory that only its owner can enter. */
function canRunUnprivileged(): boolean {
  if (process.getuid?.() !== 0) return true;
  const script = `require("node:fs").accessSync(${JSON.stringify(unprivilegedProgram())})`;
  return spawnSync(process.execPath, ["-e", script], { uid: NOBODY, gid: NOBODY, cwd: "/" }).status === 0;
}

function makeUnprivileged(project: TestProject): void {
  if (process.getuid?.() === 0) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, project.base]);
}

/** By a process that may not read everything, also where this one may. */
async function captureUnprivileged(project: TestProject): Promise<{ files: object; uncovered: string[] }> {
  const { workspaces, directory } = project;
  const request = { workspaces, directory, session: SESSION, action: "capture", step: -1, moment: "before" };
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  execFileSync(process.execPath, [unprivilegedProgram(), JSON.stringify(request)], {
    ...user,
    env,
    cwd: "/",
  });
  const refs = runGit(
    project.store,
    "for-each-ref",
    "--sort=-version:refname",
    "--format=%(objectname)",
    "refs/checkpoints",
  );
  const [id = ""] = refs.split("\n");
  const record = JSON.parse(runGit(project.store, "log", "-1", "--format=%B", id)) as CheckpointRecord;
  return { files: project.filesOf(id), uncovered: record.uncovered.map(({ path }) => path).sort() };
}
