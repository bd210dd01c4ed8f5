/** Edits that an agent proposes, as an ask shows them: in the file as it is. The files are real. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EventOf } from "../../core/event.ts";
import type { ProposedChange, TextEdit } from "../../core/proposed-change.ts";
import { unifiedDiff } from "../../core/unified-diff.ts";
import { SCRIPTED_CAPABILITIES, ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { openProjectFiles } from "../../workspace/project-files.ts";
import { type OpenOptions, open, permission, text } from "../engine.test-support.ts";

let root: string;
let project: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-proposed-")));
  project = join(root, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface AskOptions extends OpenOptions {
  readonly env?: Record<string, string>;
  readonly description?: string;
}

/** The ask that a session in the project opens for these changes. */
async function ask(changes: ProposedChange[], options: AskOptions = {}): Promise<EventOf<"ask.opened">> {
  const { engine, adapter, events, has } = await open({ projectFiles: openProjectFiles(), ...options });
  await engine.run("createSession", { id: "s", agent: "scripted", cwd: project, env: options.env }, TESTER);
  await engine.run("prompt", { session: "s", parts: text("edit"), whenBusy: "queue" }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  const [call, opened] = permission;
  adapter.last.say(call!, { ...opened, changes, description: options.description } as (typeof permission)[1]);
  await has("ask.opened");
  const log = await events();
  expect(JSON.stringify(log)).not.toContain('"edits"');
  return log.find((event) => event.type === "ask.opened")!;
}

function proposed(path: string, ...edits: TextEdit[]): ProposedChange {
  const diff = edits.map(({ find = "", replace }) => unifiedDiff(path, find, replace)).join("");
  return { path, kind: "changed", diff, edits };
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

function write(name: string, content: string | Buffer): string {
  const path = join(project, name);
  writeFileSync(path, content);
  return path;
}

describe("a proposed edit", () => {
  it("of line 150 is shown at line 150, with three lines before and after it", async () => {
    const path = write("a.ts", `${numbered(300).join("\n").replace("line 150", "const a = 150;")}\n`);
    const { changes, description } = await ask([proposed(path, { find: "= 150;", replace: "= 151;" })]);
    expect(changes).toEqual([
      {
        path,
        kind: "changed",
        diff: [
          ...[`--- ${path}`, `+++ ${path}`, "@@ -147,7 +147,7 @@", " line 147", " line 148", " line 149"],
          ...["-const a = 150;", "+const a = 151;", " line 151", " line 152", " line 153", ""],
        ].join("\n"),
      },
    ]);
    expect(description).toBeUndefined();
  });

  it("of several places is one diff with a hunk for each, made one after the other", async () => {
    const path = write("a.txt", `${numbered(60).join("\n")}\n`);
    const { changes } = await ask([
      proposed(path, { find: "line 10\n", replace: "ten\n" }, { find: "ten", replace: "TEN\nmore" }),
      proposed(path, { find: "line 50", replace: "fifty" }),
    ]);
    expect(changes).toHaveLength(1);
    expect(changes![0]!.diff!.match(/^@@.*|^[-+][^-+].*/gm)).toEqual([
      ...["@@ -7,7 +7,8 @@", "-line 10", "+TEN", "+more", "@@ -47,7 +48,7 @@", "-line 50", "+fifty"],
    ]);
  });

  it("of every occurrence shows each of them", async () => {
    const path = write("a.txt", "x\n1\n2\n3\n4\n5\n6\n7\nx\n");
    const { changes } = await ask([proposed(path, { find: "x", replace: "y", everywhere: true })]);
    expect(changes![0]!.diff!.match(/^@@.*/gm)).toEqual(["@@ -1,4 +1,4 @@", "@@ -6,4 +6,4 @@"]);
  });

  it("of a file with carriage returns is found, and shown without them", async () => {
    const path = write("a.txt", "one\r\ntwo\r\nthree\r\n");
    const { changes } = await ask([proposed(path, { find: "one\ntwo", replace: "one\n2" })]);
    expect(changes![0]!.diff).toBe(`--- ${path}\n+++ ${path}\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n`);
  });

  it("of a file without a newline at its end says so", async () => {
    const path = write("a.txt", "one\ntwo");
    const { changes } = await ask([proposed(path, { find: "two", replace: "2\n" })]);
    expect(changes![0]!.diff).toBe(
      `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n`,
    );
  });

  it("of a whole file shows what changes in it, and a new file is new", async () => {
    const path = write("a.txt", "one\ntwo\nthree\n");
    const [old, fresh] = (
      await ask([
        proposed(path, { replace: "one\n2\nthree\n" }),
        proposed(join(project, "src/b.txt"), { replace: "b\n" }),
      ])
    ).changes!;
    expect(old).toMatchObject({ kind: "changed", diff: expect.stringContaining(" one\n-two\n+2\n three\n") });
    expect(fresh).toMatchObject({
      kind: "created",
      diff: `--- /dev/null\n+++ ${join(project, "src/b.txt")}\n@@ -0,0 +1,1 @@\n+b\n`,
    });
  });

  it("shows no secret of the lines around it", async () => {
    const path = write("a.env", "A=1\nKEY=very-secret-value\nB=2\n");
    const env = { KEY: "very-secret-value" };
    const { changes } = await ask([proposed(path, { find: "B=2", replace: "B=3" })], { env });
    expect(changes![0]!.diff).toContain(" KEY=[secret KEY]\n-B=2\n+B=3\n");
  });

  it("of a thousand lines that all differ is shown as one block", async () => {
    const path = write("a.txt", `${numbered(1000).join("\n")}\n`);
    const replace = `${numbered(1000).join("!\n")}!\n`;
    const { changes } = await ask([proposed(path, { replace })]);
    expect(changes![0]!.diff!.match(/^@@.*/gm)).toEqual(["@@ -1,1000 +1,1000 @@"]);
  });

  it("that would keep the daemon busy for hours is found in no time", async () => {
    const path = write("a.txt", "a".repeat(1_000_000));
    const find = `b${"a".repeat(400_000)}`;
    expect((await ask([proposed(path, { find, replace: "" })])).description).toContain("is not in the file");
  });
});

describe("a proposed edit that cannot be shown in its file", () => {
  const edit: TextEdit = { find: "secret", replace: "public" };

  async function expectUnplaced(path: string, reason: string, edits = [edit], options: AskOptions = {}) {
    const { changes, description } = await ask([proposed(path, ...edits)], options);
    expect(changes![0]!.diff).toContain("@@ -0,1 +0,1 @@\n-secret\n+public\n");
    expect(JSON.stringify(changes)).not.toContain("around");
    expect(description).toContain(`The diff shows only the replaced text, without line numbers: ${reason}`);
    return description;
  }

  it("has no line numbers and says that its text is not in the file, or more than once", async () => {
    await expectUnplaced(write("a.txt", "around\n"), "The text to replace is not in the file.");
    const twice = write("b.txt", "secret\naround\nsecret\n");
    await expectUnplaced(twice, "The text to replace occurs more than once in the file.");
  });

  it("keeps what the agent says about it", async () => {
    const path = write("a.txt", "around\n");
    const options = { description: "Every occurrence in the file is replaced." };
    const description = await expectUnplaced(path, "The text", [edit], options);
    expect(description?.split("\n")[0]).toBe(options.description);
  });

  it("shows nothing of files outside of the session's directory", async () => {
    const outside = join(root, "outside.txt");
    writeFileSync(outside, "around\nsecret\n");
    mkdirSync(join(root, "away"));
    writeFileSync(join(root, "away/a.txt"), "around\nsecret\n");
    symlinkSync(join(root, "away"), join(project, "away"));
    symlinkSync(outside, join(project, "link.txt"));
    for (const path of [outside, `${project}/../outside.txt`])
      await expectUnplaced(path, `${path} is outside of the session's directory.`);
    await expectUnplaced(join(project, "away/a.txt"), `${project}/away/a.txt is outside of ${project}.`);
    await expectUnplaced(join(project, "link.txt"), `${project}/link.txt is a link, which is not followed.`);
  });

  it("reads no pipe, no binary and no huge file", async () => {
    const pipe = join(project, "pipe");
    execFileSync("mkfifo", [pipe]);
    await expectUnplaced(pipe, `${pipe} is not a regular file.`);
    const binary = write("binary", Buffer.from([0x73, 0xff, 0x00]));
    await expectUnplaced(binary, `${binary} is no UTF-8 text.`);
    const huge = write("huge", Buffer.alloc(1024 * 1024 + 1, "x"));
    await expectUnplaced(huge, `${huge} is larger than 1048576 bytes.`);
  });

  it("is asked all the same where the disk does not answer", async () => {
    const projectFiles = { readText: () => new Promise<string>(() => {}) };
    const path = join(project, "a.txt");
    await expectUnplaced(path, `${path} could not be read in time.`, [edit], { projectFiles });
  });

  it("of another shape than it should have opens its ask all the same", async () => {
    const path = write("a.txt", "secret\n");
    const changes = [null, { path, kind: "changed", edits: [{ find: 1 }] }] as unknown as ProposedChange[];
    expect(await ask(changes)).toMatchObject({ title: "Run it?" });
  });

  it("reads no file of this machine for an agent on another one", async () => {
    const path = write("a.txt", "around\nsecret\n");
    const adapter = new ScriptedAdapter({ ...SCRIPTED_CAPABILITIES, availability: "remote" });
    await expectUnplaced(path, "The agent's files are on another machine.", [edit], { adapter });
  });
});

describe("an edit that was made", () => {
  /** What the log has of an edit that the agent tells after it was made. */
  async function edited(path: string, find: string, replace: string): Promise<EventOf<"file.edited">> {
    const { engine, adapter, has, events } = await open({ projectFiles: openProjectFiles() });
    await engine.run("createSession", { id: "s", agent: "scripted", cwd: project }, TESTER);
    await engine.run("prompt", { session: "s", parts: text("edit"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    const diff = unifiedDiff(path, find, replace);
    adapter.last.say({ type: "file.edited", path, kind: "changed", diff, edits: [{ find, replace }] });
    await has("file.edited");
    const log = await events();
    expect(JSON.stringify(log)).not.toContain('"edits"');
    return log.find((event) => event.type === "file.edited")!;
  }

  it("in line 150 is not shown as one in line 1", async () => {
    const path = write("a.ts", `${numbered(300).join("\n").replace("line 150", "const a = 151;")}\n`);
    expect((await edited(path, "= 150;", "= 151;")).diff).toBe(
      [
        ...[`--- ${path}`, `+++ ${path}`, "@@ -147,7 +147,7 @@", " line 147", " line 148", " line 149"],
        ...["-const a = 150;", "+const a = 151;", " line 151", " line 152", " line 153", ""],
      ].join("\n"),
    );
  });

  it("has no line numbers where the file no longer has its text", async () => {
    const path = write("a.txt", "something else\n");
    expect((await edited(path, "old\n", "new\n")).diff).toBe(
      `--- ${path}\n+++ ${path}\n@@ -0,1 +0,1 @@\n-old\n+new\n`,
    );
  });
});
