/** Files go from one clone to another, and nothing of either person is lost. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CapturedFiles, GitFiles } from "../../core/git-files.ts";
import { until } from "../../testkit/until.ts";
import { runGit } from "../workspace-test-support.ts";
import { openGitFiles } from "./open-git-files.ts";

/** One clone of a node. */
class TestClone {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  git(...args: string[]): string {
    return runGit(this.root, ...args).trim();
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  commit(path: string, content: string): string {
    this.write(path, content);
    this.git("add", "--all");
    this.git("commit", "--quiet", "-m", path);
    return this.git("rev-parse", "HEAD");
  }

  status(): string[] {
    return runGit(this.root, "status", "--porcelain", "--untracked-files=all").split("\n").filter(Boolean);
  }

  /** Everything that a person could lose. */
  state(): unknown {
    const refs = this.git("for-each-ref");
    const stash = this.git("stash", "list");
    return [this.status(), refs, stash, this.git("rev-parse", "HEAD"), this.git("ls-files", "--stage")];
  }
}

let place: string;
let a: TestClone;
let b: TestClone;
let files: GitFiles;

const open = (maxBytes?: number) =>
  openGitFiles({ daemon: "test", roots: ["/"], temporary: join(place, "temporary"), maxBytes });

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "il-travel-"));
  files = open();
  const origin = join(place, "origin.git");
  runGit(place, "init", "--quiet", "--bare", "-b", "main", origin);
  a = clone("a", origin);
  a.git("checkout", "--quiet", "-B", "main");
  a.write(".gitignore", "*.log\n");
  a.write("kept.txt", "kept\n");
  a.write("gone.txt", "gone\n");
  a.write("old/name.txt", "a file with a name\n".repeat(20));
  a.commit("run.sh", "#!/bin/sh\n");
  a.git("push", "--quiet", "-u", "origin", "main");
  b = clone("b", origin);
});

afterEach(() => rmSync(place, { recursive: true, force: true }));

function clone(name: string, origin: string): TestClone {
  runGit(place, "clone", "--quiet", origin, name);
  const made = new TestClone(join(place, name));
  made.git("config", "user.name", "me");
  made.git("config", "user.email", "me@localhost");
  return made;
}

interface Journey {
  captured: CapturedFiles;
  pack: Uint8Array;
  earlier?: readonly string[];
}

async function capture({ root }: TestClone, former?: CapturedFiles): Promise<Journey> {
  const { files: captured, pack } = await files.capture(root, former);
  return { captured, pack: pack! };
}

function layDown({ root }: TestClone, { captured, pack, earlier = [] }: Journey, signal?: AbortSignal) {
  return files.layDown(root, { files: captured, earlier, pack: async () => pack }, signal);
}

async function refusal(target: TestClone, journey: Journey): Promise<string> {
  const before = target.state();
  const error = await layDown(target, journey).then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: "workspace_failed" });
  expect(target.state()).toEqual(before);
  return (error as Error).message;
}

describe("what travels", () => {
  it("every kind of change arrives, and git says the same of both clones", async () => {
    a.write("kept.txt", "changed\n");
    rmSync(join(a.root, "gone.txt"));
    a.write("new/untracked.txt", "new\n");
    a.write("binary", Buffer.from([0, 255, 10, 13, 0, 128]));
    a.write("line\r\nbreak.txt", "as it is\r\n");
    chmodSync(join(a.root, "run.sh"), 0o755);
    symlinkSync("kept.txt", join(a.root, "link"));
    renameSync(join(a.root, "old"), join(a.root, "renamed"));
    a.write("noise.log", "ignored\n");
    b.write("own.log", "ignored there\n");
    const before = a.state();
    const journey = await capture(a);
    expect(a.state()).toEqual(before);
    await layDown(b, journey);
    expect(b.status()).toEqual(a.status());
    expect(b.git("rev-parse", "HEAD")).toBe(a.git("rev-parse", "HEAD"));
    expect(b.read("kept.txt")).toBe("changed\n");
    expect(readFileSync(join(b.root, "binary"))).toEqual(Buffer.from([0, 255, 10, 13, 0, 128]));
    expect(b.read("line\r\nbreak.txt")).toBe("as it is\r\n");
    expect(lstatSync(join(b.root, "run.sh")).mode & 0o100).toBe(0o100);
    expect(readlinkSync(join(b.root, "link"))).toBe("kept.txt");
    expect(existsSync(join(b.root, "gone.txt"))).toBe(false);
    expect(existsSync(join(b.root, "old"))).toBe(false);
    expect(existsSync(join(b.root, "noise.log"))).toBe(false);
    expect(b.read("own.log")).toBe("ignored there\n");
    expect((await capture(b)).captured.tree).toBe(journey.captured.tree);
    // Once more there is nothing to do.
    expect(await layDown(b, journey)).toBeUndefined();
  });

  it("commits that were not pushed come along, and the branch goes on to them", async () => {
    a.commit("one.txt", "one\n");
    const head = a.commit("two.txt", "two\n");
    a.write("three.txt", "three\n");
    expect(await layDown(b, await capture(a))).toContain("The branch main is at");
    expect([b.git("rev-parse", "main"), b.git("branch", "--show-current")]).toEqual([head, "main"]);
    expect(b.status()).toEqual(["?? three.txt"]);
    b.git("fsck", "--full", "--strict");
  });

  it("a branch that only one clone has is made in the other", async () => {
    a.git("checkout", "--quiet", "-b", "topic");
    const head = a.commit("one.txt", "one\n");
    await layDown(b, await capture(a));
    expect([b.git("branch", "--show-current"), b.git("rev-parse", "HEAD")]).toEqual(["topic", head]);
    expect(b.status()).toEqual([]);
  });

  it("goes there and back again", async () => {
    a.write("work.txt", "first\n");
    const first = await capture(a);
    await layDown(b, first);
    b.write("work.txt", "second\n");
    const head = b.commit("done.txt", "done\n");
    b.write("more.txt", "more\n");
    const second = { ...(await capture(b, first.captured)), earlier: [first.captured.tree] };
    await layDown(a, second);
    expect([a.status(), a.git("rev-parse", "main")]).toEqual([["?? more.txt"], head]);
    expect(a.read("work.txt")).toBe("second\n");
  });

  it("without a remote all of the history comes along", async () => {
    a.git("remote", "remove", "origin");
    const head = a.commit("one.txt", "one\n");
    const journey = await capture(a);
    expect(journey.captured.bases).toEqual([]);
    await layDown(b, journey);
    expect(b.git("rev-parse", "HEAD")).toBe(head);
  });

  it("where nothing has changed nothing is packed", async () => {
    a.write("work.txt", "first\n");
    const { captured } = await capture(a);
    expect(await files.capture(a.root, captured)).toEqual({ files: captured });
    a.write("work.txt", "other\n");
    expect((await files.capture(a.root, captured)).pack).toBeDefined();
  });

  it("hooks do not run, and what is staged stays staged where it is", async () => {
    for (const name of ["post-checkout", "reference-transaction", "post-index-change", "pre-auto-gc"])
      for (const { root } of [a, b]) {
        writeFileSync(join(root, ".git/hooks", name), `#!/bin/sh\ntouch '${place}/ran'\n`, { mode: 0o755 });
      }
    a.commit("one.txt", "one\n");
    rmSync(join(place, "ran"), { force: true });
    a.write("staged.txt", "staged\n");
    runGit(a.root, "-c", "core.hooksPath=/dev/null", "add", "staged.txt");
    const journey = await capture(a);
    await layDown(b, journey);
    expect(existsSync(join(place, "ran"))).toBe(false);
    expect(a.status()).toEqual(["A  staged.txt"]);
    expect(b.status()).toEqual(["?? staged.txt"]);
  });
});

describe("what is not overwritten", () => {
  it.each([
    ["a change", (target: TestClone) => target.write("kept.txt", "mine\n")],
    ["a file that git does not know", (target: TestClone) => target.write("mine.txt", "mine\n")],
    ["a deletion", (target: TestClone) => rmSync(join(target.root, "gone.txt"))],
    [
      "what is only staged",
      (target: TestClone) => {
        target.write("kept.txt", "staged\n");
        target.git("add", "kept.txt");
        target.write("kept.txt", "kept\n");
      },
    ],
  ])("%s that nobody has captured", async (_, change) => {
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    change(b);
    const message = await refusal(b, journey);
    expect(message).toContain(b.root);
    expect(message).toContain("Commit or stash");
    b.git("stash", "--include-untracked", "--quiet");
    await layDown(b, journey);
    expect(b.read("work.txt")).toBe("work\n");
    expect(b.git("stash", "list")).not.toBe("");
  });

  it("something that is not finished", async () => {
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    writeFileSync(join(b.root, ".git/MERGE_HEAD"), `${b.git("rev-parse", "HEAD")}\n`);
    expect(await refusal(b, journey)).toContain("MERGE_HEAD");
  });

  it.each([
    ["a file", "build.log", "build.log"],
    ["a directory that is a file there", "build.log", "build.log/part"],
    ["a file that is a directory there", "build.log/part", "build.log"],
  ])("%s that only the other clone ignores", async (_, ignored, captured) => {
    a.write(".gitignore", "");
    a.write(captured, "work\n");
    const journey = await capture(a);
    b.write(ignored, "mine\n");
    expect(await refusal(b, journey)).toContain("git ignores");
    expect(b.read(ignored)).toBe("mine\n");
  });

  it("commits of another history: HEAD is detached, and the branch stays", async () => {
    a.commit("one.txt", "one\n");
    const mine = b.commit("mine.txt", "mine\n");
    const told = await layDown(b, await capture(a));
    expect(told).toContain("detached");
    expect(told).toContain("main has other commits here");
    expect(b.git("rev-parse", "main")).toBe(mine);
    expect(b.git("rev-parse", "HEAD")).toBe(a.git("rev-parse", "HEAD"));
    expect(b.status()).toEqual([]);
  });

  it("a branch that is checked out in another worktree", async () => {
    a.git("checkout", "--quiet", "-b", "topic");
    a.commit("one.txt", "one\n");
    b.git("worktree", "add", "--quiet", "-b", "topic", join(place, "beside"));
    const before = b.git("rev-parse", "topic");
    expect(await layDown(b, await capture(a))).toContain("is checked out in");
    expect(b.git("rev-parse", "topic")).toBe(before);
  });
});

describe("one that was cut off", () => {
  it.each([
    ["after the files", (_head: string) => {}],
    ["after the index", (head: string) => b.git("read-tree", "--reset", head)],
  ])("%s is finished", async (_, more) => {
    a.commit("kept.txt", "committed\n");
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    await layDown(b, journey);
    const head = b.git("rev-parse", "HEAD");
    b.git("update-ref", "refs/heads/main", "origin/main");
    b.git("read-tree", "--reset", "origin/main");
    more(head);
    await layDown(b, journey);
    expect([b.git("rev-parse", "main"), b.status()]).toEqual([head, ["?? work.txt"]]);
  });
});

describe("what the other clone lacks", () => {
  it("is fetched", async () => {
    a.commit("one.txt", "one\n");
    a.git("push", "--quiet");
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    expect(journey.captured.bases).toEqual([a.git("rev-parse", "HEAD")]);
    await layDown(b, journey);
    expect(b.git("rev-parse", "HEAD")).toBe(a.git("rev-parse", "HEAD"));
  });

  it("and cannot be fetched is named", async () => {
    const head = a.commit("one.txt", "one\n");
    a.git("push", "--quiet");
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    b.git("remote", "remove", "origin");
    expect(await refusal(b, journey)).toContain(`lacks commit ${head}`);
  });

  it("and comes too slowly is not waited for by a prompt that was stopped", async () => {
    a.commit("one.txt", "one\n");
    a.git("push", "--quiet");
    a.write("work.txt", "work\n");
    const journey = await capture(a);
    const begun = join(place, "begun");
    b.git("remote", "set-url", "origin", "ssh://nowhere.invalid/origin.git");
    b.git("config", "core.sshCommand", `touch '${begun}'; exec sleep 600; :`);
    b.git("config", "ssh.variant", "simple");
    const before = b.state();
    const abort = new AbortController();
    const laid = layDown(b, journey, abort.signal);
    const refused = expect(laid).rejects.toThrow("stopped");
    await until(() => existsSync(begun));
    abort.abort(new Error("stopped"));
    await refused;
    expect(b.state()).toEqual(before);
  });
});

describe("what is made to ask git", () => {
  it("is for our eyes only, and gone afterwards", async () => {
    a.write("secret.txt", "secret\n");
    const seen: { mode: number; names: string[] }[] = [];
    const temporary = join(place, "temporary");
    const journey = await capture(a);
    const pack = async () => {
      seen.push({ mode: lstatSync(temporary).mode & 0o777, names: readdirSync(temporary) });
      return journey.pack;
    };
    await files.layDown(b.root, { files: journey.captured, earlier: [], pack });
    expect(seen).toEqual([{ mode: 0o700, names: [expect.stringMatching(/^git-files-/)] }]);
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe("what stays", () => {
  it("a directory without a repository", async () => {
    await expect(files.capture(place)).rejects.toThrow("is in no git repository");
    const journey = await capture(a);
    await expect(layDown(new TestClone(place), journey)).rejects.toThrow("is in no repository here");
  });

  it("a repository without a commit", async () => {
    runGit(place, "init", "--quiet", "empty");
    await expect(files.capture(join(place, "empty"))).rejects.toThrow("has no commit yet");
  });

  it("more than is kept", async () => {
    const small = open(20_000);
    a.write("large", Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256))));
    await expect(small.capture(a.root)).rejects.toThrow(/more than 0 MB/);
    a.write(".git/info/exclude", "large\n");
    expect((await small.capture(a.root)).pack).toBeDefined();
  });
});
