/** Restores that did not do all they were to, or of which the end could not be recorded: what is known of them afterwards. */
import { expect, it } from "vitest";
import type { RestorePlan } from "../../core/workspace.ts";
import { TESTER } from "../../testkit/tester.ts";
import { create } from "../engine.test-support.ts";
import { openProject } from "./project.test-support.ts";
import { expectWhole, openChanged, type Project } from "./restoring.test-support.ts";

/** A session whose agent has changed these files from "one" to "two" in its one turn. */
async function openManyChanged(names: readonly string[]) {
  const project = await openProject();
  for (const name of names) project.write(name, "one");
  await create(project.engine, "s", { cwd: project.cwd });
  await project.turn(() => {
    for (const name of names) project.write(name, "two");
  });
  return project;
}

/** From the step of this number on the restore fails. */
function failFrom({ workspace }: Project, step: number) {
  let steps = 0;
  workspace.onApply = async () => {
    steps += 1;
    if (steps >= step) throw new Error("input/output error");
  };
}

/** The next restore leaves these files alone, as it does with what somebody changes meanwhile. */
function keepOnce({ workspace }: Project, kept: readonly string[]) {
  const { apply } = workspace;
  workspace.apply = ({ directory, plan }: { directory: string; plan: RestorePlan }) => {
    workspace.apply = apply;
    const changes = plan.changes.filter(({ path }) => !kept.includes(path));
    return apply
      .call(workspace, { directory, plan: { ...plan, changes } })
      .then(({ restored }) => ({ restored, kept: [...kept] as never[] }));
  };
}

async function lastNote({ events, has, turn }: Project): Promise<string | undefined> {
  const count = (await events()).filter(({ type }) => type === "prompt.dispatched").length;
  await turn(() => {});
  await has("prompt.dispatched", count + 1);
  const dispatched = (await events()).findLast((event) => event.type === "prompt.dispatched");
  return dispatched?.type === "prompt.dispatched" ? dispatched.note : undefined;
}

it("a restore after which no checkpoint could be taken can be undone", async () => {
  const project = await openChanged();
  const { engine, workspace, latest, read } = project;
  let captures = 0;
  workspace.onCapture = async () => {
    captures += 1;
    if (captures > 1) throw new Error("less than 1024 MiB are free");
  };
  const { checkpoint } = await engine.run(
    "restore",
    { session: "s", checkpoint: await latest("before") },
    TESTER,
  );
  expect(read("a.txt")).toBe("one");
  expect((await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.at(-1)).toMatchObject({
    kind: "restore",
  });
  workspace.onCapture = undefined;
  expect(await engine.run("restore", { session: "s", checkpoint: checkpoint! }, TESTER)).toMatchObject({
    restored: ["a.txt"],
  });
  expect(read("a.txt")).toBe("two");
  expect(
    await engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER),
  ).toMatchObject({
    restored: ["a.txt"],
  });
  await expectWhole(project);
});

for (const step of [1, 2])
  it(`a restore that failed at file ${step} can be tried again, and is no conflict with itself`, async () => {
    const project = await openManyChanged(["a.txt", "b.txt", "c.txt"]);
    const { engine, workspace, latest, read } = project;
    const checkpoint = await latest("before");
    failFrom(project, step);
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_failed",
    });
    workspace.onApply = undefined;
    const left = ["a.txt", "b.txt", "c.txt"].slice(step - 1);
    expect(await engine.run("restore", { session: "s", checkpoint }, TESTER)).toMatchObject({
      restored: left,
    });
    expect([read("a.txt"), read("b.txt"), read("c.txt")]).toEqual(["one", "one", "one"]);
    await expectWhole(project);
  });

it("what a restore that failed half way did is undone, and only that", async () => {
  const project = await openManyChanged(["a.txt", "b.txt"]);
  const { engine, workspace, latest, read } = project;
  failFrom(project, 2);
  await expect(
    engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER),
  ).rejects.toThrow();
  workspace.onApply = undefined;
  expect([read("a.txt"), read("b.txt")]).toEqual(["one", "two"]);
  const checkpoint = await latest("restore");
  expect(await engine.run("restore", { session: "s", checkpoint }, TESTER)).toMatchObject({
    restored: ["a.txt"],
  });
  expect([read("a.txt"), read("b.txt")]).toEqual(["two", "two"]);
});

it("more than a hundred files that a restore kept can be restored by the next one", async () => {
  const names = Array.from({ length: 150 }, (_, at) => `${1000 + at}.txt`);
  const project = await openManyChanged(names);
  const { engine, latest, read } = project;
  const checkpoint = await latest("before");
  keepOnce(project, names.slice(10));
  expect((await engine.run("restore", { session: "s", checkpoint }, TESTER)).restored).toHaveLength(10);
  expect((await engine.run("restore", { session: "s", checkpoint }, TESTER)).restored).toHaveLength(140);
  expect(names.filter((name) => read(name) !== "one")).toEqual([]);
});

it("after a restore that failed the agent is told only of the files that went back", async () => {
  const project = await openManyChanged(["a.txt", "b.txt"]);
  const { engine, workspace, latest } = project;
  const checkpoint = await latest("before");
  failFrom(project, 1);
  await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toThrow();
  workspace.onApply = undefined;
  expect(await lastNote(project)).toBeUndefined();
  failFrom(project, 2);
  await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toThrow();
  workspace.onApply = undefined;
  const note = await lastNote(project);
  expect(note).toContain("a.txt");
  expect(note).not.toContain("b.txt");
});

it("of more than a hundred files that a restore kept the agent is told of none", async () => {
  const names = Array.from({ length: 150 }, (_, at) => `${1000 + at}.txt`);
  const project = await openManyChanged(names);
  keepOnce(project, names.slice(0, 149));
  await project.engine.run("restore", { session: "s", checkpoint: await project.latest("before") }, TESTER);
  const note = await lastNote(project);
  expect(note).toContain("1149.txt");
  expect(note).not.toContain("more");
  expect(note?.match(/\.txt/g)).toHaveLength(1);
});
