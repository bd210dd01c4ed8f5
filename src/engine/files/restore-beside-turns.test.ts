/** What turns of other sessions, and approvals in the middle of a turn, must not do to the undo of anybody's files. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, permission } from "../engine.test-support.ts";
import { openProject } from "./project.test-support.ts";

type Project = Awaited<ReturnType<typeof openProject>>;

/** The agent of a session says that it has written this file. */
async function edit({ adapter, cwd, write, events }: Project, session: string, name: string): Promise<void> {
  write(name, session);
  const agent = adapter.sessions.findLast(({ sessionId }) => sessionId === session);
  agent?.say({ type: "file.edited", path: join(cwd, name), kind: "created" });
  const isTold = async () => (await events(session)).some((event) => event.type === "file.edited");
  await until(isTold);
}

describe("a restore beside a turn of another session that waits for a person", () => {
  it("is refused: what went back would be taken for that turn's work, or that turn's work for the restore's", async () => {
    const project = await openProject();
    const { engine, cwd, write, read, begin, turn, latest, adapter, events } = project;
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await turn(() => write("a.txt", "agent"));
    await begin("other");
    adapter.sessions.findLast(({ sessionId }) => sessionId === "other")?.say(...permission);
    await until(async () => (await events("other")).some(({ type }) => type === "ask.opened"));
    const refused = { code: "workspace_busy", message: expect.stringContaining("waits for an answer") };
    await expect(
      engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER),
    ).rejects.toMatchObject(refused);
    await expect(engine.run("reset", { session: "s" }, TESTER)).rejects.toMatchObject(refused);
    expect(read("a.txt")).toBe("agent");
    // It changes no file.
    await engine.run("approve", { session: "s" }, TESTER);
    await engine.run("approve", { session: "other" }, TESTER);
  });
});

describe("the daemon's death in a turn", () => {
  it("does not make a file the turn's that another agent wrote meanwhile, though its turn had ended by then", async () => {
    const first = await openProject({ isKilled: true });
    const { engine, cwd, write, store, workspace } = first;
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await first.begin("s");
    await first.begin("other");
    await edit(first, "other", "theirs.txt");
    await first.end("other");
    write("by-shell.txt", "s");
    await edit(first, "s", "ours.txt");

    const second = await openProject({ store, workspace, cwd });
    await until(async () => (await second.events("s")).some((event) => "endOf" in event));
    const checkpoint = await second.latest("before");
    await expect(second.engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      extras: { paths: ["by-shell.txt", "theirs.txt"] },
    });
    await second.engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER);
    expect(second.read("theirs.txt")).toBe("other");
    expect(second.read("ours.txt")).toBeUndefined();
  });

  it("leaves files that nobody spoke of to the turn, if no other agent has worked since it began", async () => {
    const first = await openProject({ isKilled: true });
    const { engine, cwd, write, store, workspace } = first;
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await first.turn(() => write("earlier.txt", "other"), "other");
    const last = (await first.events("other")).at(-1)!;
    await until(() => Date.now() > last.at);
    await first.begin("s");
    write("by-shell.txt", "s");
    await edit(first, "s", "ours.txt");

    const second = await openProject({ store, workspace, cwd });
    await until(async () => (await second.events("s")).some((event) => "endOf" in event));
    await second.engine.run("restore", { session: "s", checkpoint: await second.latest("before") }, TESTER);
    expect(["earlier.txt", "by-shell.txt", "ours.txt"].map(second.read)).toEqual([
      "other",
      undefined,
      undefined,
    ]);
  });
});

describe("an approval in the middle of a turn", () => {
  it("and the daemon's death after it leave the rest of the turn pending, and the files of other sessions alone", async () => {
    const first = await openProject({ isKilled: true });
    const { engine, cwd, write } = first;
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await first.begin("s");
    await first.begin("other");
    await edit(first, "other", "theirs.txt");
    write("ours.txt", "approved");
    await engine.run("approve", { session: "s" }, TESTER);
    await edit(first, "s", "later.txt");

    const { store, workspace } = first;
    const second = await openProject({ store, workspace, cwd });
    await until(async () => (await second.events("s")).some((event) => "endOf" in event));
    const pending = (await second.engine.run("listChanges", { session: "s" }, TESTER)).changes.map(
      ({ path }) => path,
    );
    expect(pending).toContain("later.txt");
    await second.engine.run(
      "restore",
      { session: "s", checkpoint: await second.latest("before"), onConflict: "keep" },
      TESTER,
    );
    expect(second.read("theirs.txt")).toBe("other");
    expect(second.read("later.txt")).toBeUndefined();
  });

  it("whose end has no checkpoint makes nobody's files the turn's", async () => {
    const project = await openProject();
    const { engine, cwd, begin, end, latest, read, workspace } = project;
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await begin("s");
    await begin("other");
    await edit(project, "other", "theirs.txt");
    await engine.run("approve", { session: "s" }, TESTER);
    await end("other");
    workspace.onCapture = () => Promise.reject(new Error("no room"));
    await end("s");
    workspace.onCapture = undefined;
    const checkpoint = await latest("before");
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
    });
    expect(read("theirs.txt")).toBe("other");
  });
});
