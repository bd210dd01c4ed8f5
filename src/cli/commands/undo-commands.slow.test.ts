/** `checkpoints`, `changes`, `diff`, `restore`, `approve`, `reset` and `workspace`, with the real git. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../testkit/eventually.ts";
import { startAtTerminal } from "../terminal-test-support.ts";
import { post, run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let project: string;
let daemon: Served;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-undo-commands-"));
  project = join(directory, "project");
  mkdirSync(project);
  daemon = await serve(["--data", join(directory, "data"), "--root", project, "--checkpoints", "on"], {
    cwd: project,
  });
  await post(daemon, "/v1/sessions", { id: "demo", agent: "mock", cwd: project, options: { pace: 0 } });
  await prompt("u1");
});

const data = () => join(directory, "data");

/** A turn that works on the files. */
async function prompt(id: string): Promise<void> {
  await post(daemon, "/v1/sessions/demo/messages", { id, text: "scenario:files" });
  await eventually("the turn ends", async () => {
    const { stdout } = await call("sessions", "show", "demo", "--json");
    return (JSON.parse(stdout) as { status: string }).status === "idle";
  });
}

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

function call(...args: string[]) {
  const line = args[0] === "__complete" ? args : [...args, "--data", join(directory, "data")];
  return run(line, {
    cwd: project,
    environment: { NO_COLOR: "1", INTERLINGUA_DEBUG: "" },
  });
}

const json = async (...args: string[]) => JSON.parse((await call(...args, "--json")).stdout);

test("they list, show, undo and redo what a turn changed", async () => {
  const listed = (await json("checkpoints", "demo")) as { id: string; kind: string }[];
  expect(listed.map(({ kind }) => kind)).toEqual(["created", "before", "after"]);
  const table = await call("checkpoints", "demo");
  expect(table.stdout).toMatch(new RegExp(`${listed[1]!.id.slice(0, 12)}  before .* scenario:files\n`));
  expect(table.stdout).not.toContain(listed[1]!.id);

  expect(await json("changes", "demo")).toMatchObject([
    { path: "mock-by-shell.txt", status: "added" },
    { path: "mock-written.txt", status: "added" },
  ]);
  expect((await call("changes", "demo")).stdout).toMatch(/added +1 +0 +mock-by-shell\.txt/);
  const diff = await call("diff", "demo", "--since", "last");
  expect(diff.stdout).toContain("+++ b/mock-written.txt\n@@ -0,0 +1 @@\n+line 1\n");

  const preview = await call("restore", "demo", "last", "--preview");
  expect(preview.code).toBe(0);
  expect(preview.stdout).toMatch(
    /^STATUS .*\ndeleted .* mock-by-shell\.txt\ndeleted .* mock-written\.txt\n$/,
  );
  expect(existsSync(join(project, "mock-written.txt"))).toBe(true);

  writeFileSync(join(project, "mock-written.txt"), "mine\n");
  const refused = await call("restore", "demo", "last");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^interlingua: Somebody else has changed files since\.[^\n]*They are: mock-written\.txt\n$/,
  );
  const unmerged = await call("restore", "demo", "last", "--on-conflict", "merge");
  expect(unmerged).toMatchObject({ code: 1, stdout: "" });
  expect(unmerged.stderr).toContain("cannot be merged");
  const kept = await call("restore", "demo", listed[1]!.id.slice(0, 12), "--on-conflict", "keep");
  expect(kept.stdout).toBe("restored  mock-by-shell.txt\nkept  mock-written.txt\n");
  expect(existsSync(join(project, "mock-by-shell.txt"))).toBe(false);
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).toBe("mine\n");

  const undo = /restore --data \S+ demo ([0-9a-f]+)\n/.exec(kept.stderr)?.[1];
  expect(await json("restore", "demo", undo!, "--path", "mock-by-shell.txt")).toMatchObject({
    restored: ["mock-by-shell.txt"],
  });
  expect(readFileSync(join(project, "mock-by-shell.txt"), "utf8")).toBe("line 1\n");
});

test("approve accepts, and reset goes back to that", async () => {
  expect((await call("approve", "demo")).stderr).toBe("interlingua: Approved. Files that had changed: 2.\n");
  expect((await call("changes", "demo")).stderr).toBe("interlingua: Nothing changed.\n");
  await prompt("u2");
  const reset = await call("reset", "demo", "--yes");
  expect(reset).toMatchObject({
    code: 0,
    stdout: "restored  mock-by-shell.txt\nrestored  mock-written.txt\n",
  });
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).toBe("mine\n");
});

test("a diff keeps the spaces of its lines, and loses what would move the cursor", async () => {
  writeFileSync(join(project, "mock-written.txt"), "if (a) {\n\t  b();   \n  c\u001b[2J\n}\n");
  await prompt("u3");
  const { stdout } = await call("diff", "demo", "--since", "last");
  expect(stdout).toContain(" \t  b();   \n   c[2J\n }\n+line 5\n");
  expect(stdout).not.toContain("\u001b");
  const coloured = startAtTerminal(["diff", "demo", "--since", "last", "--data", data()], { cwd: project });
  await coloured.ended;
  expect(coloured.written()).toContain("\u001b[32m+line 5\u001b[39m");
});

test("at a terminal restore shows what it will do and asks; what changed meanwhile is not touched", async () => {
  const restore = () =>
    startAtTerminal(["restore", "demo", "last", "--data", data()], { cwd: project, columns: 80 });
  const before = readFileSync(join(project, "mock-written.txt"), "utf8");
  const declined = restore();
  await declined.sees("modified  0      1        mock-written.txt");
  await declined.sees("Go back? [y/N]");
  declined.type("\n");
  await declined.sees("Nothing was changed.");
  expect((await declined.ended).code).toBe(1);
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).toBe(before);

  const late = restore();
  await late.sees("Go back? [y/N]");
  writeFileSync(join(project, "mock-written.txt"), "typed meanwhile\n");
  late.type("y\n");
  await late.sees("Files changed since the preview");
  expect((await late.ended).code).toBe(1);
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).toBe("typed meanwhile\n");
  writeFileSync(join(project, "mock-written.txt"), before);

  const accepted = restore();
  await accepted.sees("Go back? [y/N]");
  accepted.type("y\n");
  await accepted.sees("restored  mock-written.txt");
  await accepted.sees("To undo this: interlingua restore --data");
  expect((await accepted.ended).code).toBe(0);
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).not.toBe(before);
});

test("a backup is not mistaken for a session, nor a session for a backup", async () => {
  const backup = join(directory, "backup.db");
  expect((await call("backup", backup)).code).toBe(0);
  const { code, stderr } = await call("restore", backup);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `interlingua: restore undoes what a session changed. For a backup: interlingua backup restore ${backup}\n`,
  });
  expect(await call("backup", "restore", "demo")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no file"),
  });
});

test("workspace says what checkpoints take, and drops those that are too many", async () => {
  const size = (await json("workspace", "size")) as { bytes: number; workspaces: { directory: string }[] };
  expect(size.bytes).toBeGreaterThan(0);
  expect(size.workspaces.map((each) => each.directory)).toEqual([realpathSync(project)]);
  expect((await call("workspace", "size")).stdout).toMatch(/^SIZE +CHECKPOINTS +DIRECTORY\n\d+ kB +\d+ +\//);
  expect(await json("workspace", "gc")).toMatchObject({ dropped: 0 });
  expect((await call("workspace", "gc")).stdout).toMatch(/^Dropped 0 checkpoints, freed .* are left\.\n$/);
});

test("workspace size and gc do the others when the checkpoints of one directory are damaged, and name it", async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), "damaged-")));
  const store = join(data(), "workspaces", "f".repeat(32));
  try {
    execFileSync("git", ["init", "-q", "--bare", store]);
    writeFileSync(join(store, "directory"), `${other}\n`);
    writeFileSync(join(store, "packed-refs"), "damaged\n");
    const note = `interlingua: the checkpoints of ${other}: git for-each-ref ended with 128: `;
    const remedy = `take ${store} from a backup, or delete it`;
    const size = await call("workspace", "size");
    expect(size).toMatchObject({ code: 1, stderr: expect.stringContaining(note) });
    expect(size.stdout).toMatch(new RegExp(`kB +[1-9]\\d* +${realpathSync(project)}\n`));
    expect(size.stdout).toMatch(new RegExp(`kB +\\? +${other}\n`));
    const collected = await call("workspace", "gc");
    expect(collected).toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) });
    expect(collected.stdout).toMatch(/^Dropped 0 checkpoints, freed .* are left\.\n$/);
    expect(JSON.parse((await call("workspace", "gc", "--json")).stdout)).toMatchObject({
      dropped: 0,
      failed: [{ directory: other, problem: expect.stringContaining(remedy) }],
    });
  } finally {
    for (const path of [store, other]) rmSync(path, { recursive: true });
  }
});

test("Tab completes checkpoints of the session", async () => {
  const { stdout } = await call("__complete", "restore", "--data", data(), "demo", "");
  expect(stdout).toMatch(/^last\tbefore the last prompt\n[0-9a-f]{12}\tafter, /);
});

test("replay --verify takes no offence at checkpoints, restores and edits that they found", async () => {
  const { code, stderr } = await call("replay", "demo", "--verify");
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

test("they say what is wrong with their arguments", async () => {
  for (const [line, words] of [
    [["restore", "demo"], 'restore needs a CHECKPOINT. Run "interlingua checkpoints demo"'],
    [["restore", "demo", "nothing"], 'The session has no checkpoint "nothing"'],
    [["restore", "demo", "last", "--on-conflict", "guess"], "--on-conflict is one of"],
    [["changes", "demo", "--turn", "t1", "--since", "last"], "cannot be given together"],
  ] as const) {
    const { code, stderr } = await call(...line);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  }
});
