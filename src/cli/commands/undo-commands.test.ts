/** `checkpoints`, `changes`, `diff` and `restore SESSION CHECKPOINT`, with the real git. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, post, run, type Served, serve, stop } from "../test-support.ts";

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
  await post(daemon, "/v1/sessions/demo/messages", { id: "u1", text: "scenario:files" });
  await eventually("the turn ends", async () => {
    const { stdout } = await call("sessions", "show", "demo", "--json");
    return (JSON.parse(stdout) as { status: string }).status === "idle";
  });
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

function call(...args: string[]) {
  return run([...args, "--data", join(directory, "data")], {
    cwd: project,
    environment: { NO_COLOR: "1", INTERLINGUA_DEBUG: "" },
  });
}

const json = async (...args: string[]) => JSON.parse((await call(...args, "--json")).stdout);

test("they list, show, undo and redo what a turn changed", async () => {
  const listed = (await json("checkpoints", "demo")) as { id: string; kind: string }[];
  expect(listed.map(({ kind }) => kind)).toEqual(["created", "before", "after"]);
  const table = await call("checkpoints", "demo");
  expect(table.stdout).toContain(listed[1]!.id.slice(0, 12));
  expect(table.stdout).not.toContain(listed[1]!.id);

  expect(await json("changes", "demo")).toMatchObject([
    { path: "mock-by-shell.txt", status: "added" },
    { path: "mock-written.txt", status: "added" },
  ]);
  expect((await call("changes", "demo")).stdout).toMatch(/added +1 +0 +mock-by-shell\.txt/);
  const diff = await call("diff", "demo", "--since", "last");
  expect(diff.stdout).toContain("+++ b/mock-written.txt\n@@ -0,0 +1 @@\n+line 1\n");

  const preview = await call("restore", "demo", "last", "--preview");
  expect(preview).toMatchObject({
    code: 0,
    stdout: "would restore  mock-by-shell.txt\nwould restore  mock-written.txt\n",
  });
  expect(existsSync(join(project, "mock-written.txt"))).toBe(true);

  writeFileSync(join(project, "mock-written.txt"), "mine\n");
  const refused = await call("restore", "demo", "last");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^interlingua: Somebody else has changed mock-written\.txt since\.[^\n]*\n$/,
  );
  const kept = await call("restore", "demo", listed[1]!.id.slice(0, 12), "--on-conflict", "keep");
  expect(kept.stdout).toBe("restored  mock-by-shell.txt\nkept  mock-written.txt\n");
  expect(existsSync(join(project, "mock-by-shell.txt"))).toBe(false);
  expect(readFileSync(join(project, "mock-written.txt"), "utf8")).toBe("mine\n");

  const undo = /restore ([0-9a-f]+)\./.exec(kept.stderr)?.[1];
  expect(await json("restore", "demo", undo!, "--path", "mock-by-shell.txt")).toMatchObject({
    restored: ["mock-by-shell.txt"],
  });
  expect(readFileSync(join(project, "mock-by-shell.txt"), "utf8")).toBe("line 1\n");
});

test("replay --verify takes no offence at checkpoints, restores and edits that they found", async () => {
  const { code, stderr } = await call("replay", "demo", "--verify");
  expect({ code, stderr }).toMatchObject({ code: 0 });
});

test("they say what is wrong with their arguments", async () => {
  for (const [line, words] of [
    [["restore", "demo", "nothing"], 'The session has no checkpoint "nothing"'],
    [["restore", "demo", "last", "--on-conflict", "guess"], "--on-conflict is one of"],
    [["changes", "demo", "--turn", "t1", "--since", "last"], "cannot be given together"],
  ] as const) {
    const { code, stderr } = await call(...line);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  }
});
