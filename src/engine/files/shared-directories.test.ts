/** Prompts and restores in a directory that other nodes work in, too: what is announced, and what is waited for. */
import { expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import { isInside } from "../../core/is-inside.ts";
import type { DirectoryUse, SharedDirectories, WorkElsewhere } from "../../core/shared-directories.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { openProject } from "./project.test-support.ts";
import { beginRestore } from "./restoring.test-support.ts";

/** What other nodes do is said by the test. */
class Neighbours implements SharedDirectories {
  restore: WorkElsewhere | undefined;
  work: WorkElsewhere | undefined;
  changed: string[] = [];
  /** Everything in the order in which it happened. */
  readonly calls: string[] = [];
  readonly announced = new Set<string>();

  isShared(): boolean {
    return true;
  }

  async announce({ session, kind }: DirectoryUse): Promise<() => Promise<void>> {
    const name = `${kind} of ${session}`;
    this.calls.push(name);
    this.announced.add(name);
    return async () => void this.announced.delete(name);
  }

  async findRestore(): Promise<WorkElsewhere | undefined> {
    this.calls.push("look for restores");
    return this.restore;
  }

  async findWork(): Promise<WorkElsewhere | undefined> {
    this.calls.push("look for work");
    return this.work;
  }

  async listChangedSince(): Promise<string[]> {
    return this.changed;
  }

  async forget(): Promise<void> {}
}

it("a prompt is announced before restores are looked for, until its turn is in the log", async () => {
  const directories = new Neighbours();
  const { engine, cwd, begin, end, has } = await openProject({ directories });
  await create(engine, "s", { cwd });
  await begin();
  expect(directories.calls).toEqual(["prompt of s", "look for restores"]);
  await has("turn.started");
  await until(() => directories.announced.size === 0);
  await end();
});

it("a prompt waits for the restore of another node, with checkpoints and without", async () => {
  for (const checkpoints of ["on", "off"] as const) {
    const directories = new Neighbours();
    directories.restore = { session: "theirs", node: "b" };
    const { engine, cwd, events, has } = await openProject({ directories });
    await create(engine, "s", { cwd, checkpoints });
    await engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
    await until(() => directories.calls.filter((call) => call === "look for restores").length > 2);
    expect((await events()).some(({ type }) => type === "turn.started")).toBe(false);
    directories.restore = undefined;
    await has("turn.started");
  }
});

it("a restore is announced before work is looked for, and refused where there is some", async () => {
  const directories = new Neighbours();
  const project = await openProject({ directories });
  const { engine, cwd, write, read, turn, latest } = project;
  await create(engine, "s", { cwd });
  await turn(() => write("a.txt", "agent"));
  const checkpoint = await latest("before");
  directories.work = { session: "theirs", title: "Their work", node: "b" };
  directories.calls.length = 0;
  await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
    code: "workspace_busy",
    message: expect.stringContaining('"theirs" at the node "b"'),
    extras: { session: { id: "theirs", title: "Their work" } },
  });
  expect(directories.calls).toEqual(["restore of s", "look for restores", "look for work"]);
  expect(directories.announced.size).toBe(0);
  directories.work = undefined;
  directories.restore = { session: "theirs" };
  for (const refused of [
    engine.run("restore", { session: "s", checkpoint }, TESTER),
    engine.run("approve", { session: "s" }, TESTER),
  ])
    await expect(refused).rejects.toMatchObject({ code: "workspace_busy" });
  expect(read("a.txt")).toBe("agent");
  directories.restore = undefined;
  const { restoring, open: goOn } = await beginRestore(project, "onApply");
  expect([...directories.announced]).toEqual(["restore of s"]);
  goOn();
  await restoring;
  expect(read("a.txt")).toBeUndefined();
  expect(directories.announced.size).toBe(0);
});

it("where nobody knows what agents of other nodes did meanwhile, nothing of a turn is taken back by itself", async () => {
  const directories = new Neighbours();
  const { engine, cwd, write, read, turn, latest } = await openProject({ directories });
  await create(engine, "s", { cwd });
  directories.changed = Array.from({ length: 100 }, (_, at) => `other-${at}`);
  await turn(() => write("a.txt", "somebody"));
  const checkpoint = await latest("before");
  await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
    code: "workspace_conflict",
    extras: { paths: ["a.txt"] },
  });
  expect(read("a.txt")).toBe("somebody");
});

it("whoever asks, no session is made outside the roots of this node, and none is given a file from there", async () => {
  const assertInside = (path: string) => {
    if (!isInside(path, "/srv")) throw new InterlinguaError("outside_roots", "It lies outside.");
  };
  const { engine, store, has } = await open({
    assertDirectory: async (directory) => assertInside(directory),
    async assertParts(_session, parts) {
      for (const part of parts) if (part.type === "context") assertInside(part.path);
    },
  });
  const outside = { code: "outside_roots" };
  await expect(create(engine, "s", { cwd: "/etc" })).rejects.toMatchObject(outside);
  await create(engine, "s", { cwd: "/srv" });
  await expect(
    engine.run("forkSession", { session: "s", id: "f", cwd: "/etc" }, TESTER),
  ).rejects.toMatchObject(outside);
  for (const id of ["one", "two"])
    await engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER);
  await has("prompt.dispatched");
  const parts = [{ type: "context" as const, path: "/etc/passwd" }];
  for (const refused of [
    engine.run("prompt", { session: "s", parts, whenBusy: "queue" }, TESTER),
    engine.run("edit", { session: "s", id: "one", parts }, TESTER),
    engine.run("edit", { session: "s", id: "two", parts }, TESTER),
    engine.run("changeQueued", { session: "s", message: "two", parts }, TESTER),
  ])
    await expect(refused).rejects.toMatchObject(outside);
  expect((await store.listSessions({ limit: 9 })).sessions.map(({ id }) => id)).toEqual(["s"]);
  expect((await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message)).toEqual([
    "two",
  ]);
  expect((await store.getMessage("s", "one"))?.rewoundAt).toBeUndefined();
});
