/** What happens to a session while its files are being restored, and what its log says then. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import { principal } from "../../core/principal.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, text } from "../engine.test-support.ts";
import { CopyingWorkspace } from "./copying-workspace.test-support.ts";
import { openProject } from "./project.test-support.ts";
import { beginRestore, expectWhole, gateOf, openChanged, type Project } from "./restoring.test-support.ts";

async function typesOf({ events }: Project): Promise<string[]> {
  return (await events()).map(({ type }) => type);
}

describe("a session that is closed", () => {
  it("during its restore does not end its log before the restore has", async () => {
    const project = await openChanged();
    const { restoring, open } = await beginRestore(project, "onApply");
    const closing = project.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    await project.has("session.detached");
    open();
    await restoring;
    await closing;
    expect((await typesOf(project)).slice(-2)).toEqual(["checkpoint.restored", "session.closed"]);
    expect(project.read("a.txt")).toBe("one");
    await expectWhole(project);
  });

  it("while a restore is planned gets no restore after its end", async () => {
    const project = await openChanged();
    const { restoring, open } = await beginRestore(project, "onCapture");
    await project.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    const kept = project.workspace.copies.size;
    open();
    await expect(restoring).rejects.toMatchObject({ code: "session_closed" });
    expect((await typesOf(project)).at(-1)).toBe("session.closed");
    expect(project.read("a.txt")).toBe("two");
    expect(project.workspace.copies.size).toBe(kept);
    await expectWhole(project);
  });

  it("while it is approved gets no approval after its end", async () => {
    const project = await openChanged();
    const { open, reached } = gateOf(project.workspace, "onCapture");
    const approving = project.engine.run("approve", { session: "s" }, TESTER);
    approving.catch(() => {});
    await reached;
    await project.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    open();
    await expect(approving).rejects.toMatchObject({ code: "session_closed" });
    expect((await typesOf(project)).at(-1)).toBe("session.closed");
  });

  it("during its restore can be deleted, and that waits for nothing", async () => {
    const project = await openChanged();
    const { restoring, open } = await beginRestore(project, "onApply");
    const closing = project.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    closing.catch(() => {});
    await project.has("session.detached");
    await project.engine.run("deleteSession", { session: "s" }, TESTER);
    open();
    await expect(restoring).rejects.toMatchObject({ code: "session_not_found" });
    await expect(closing).rejects.toMatchObject({ code: "session_not_found" });
    expect(await project.events()).toEqual([]);
  });
});

describe("a prompt that is sent during a restore", () => {
  it("is withdrawn by an interrupt and gets no turn inside the restore", async () => {
    const project = await openChanged();
    const { restoring, open } = await beginRestore(project, "onApply");
    await project.engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("now"), whenBusy: "queue" },
      TESTER,
    );
    expect(
      (await project.engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted,
    ).toBe(true);
    expect(
      (await project.engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted,
    ).toBe(false);
    open();
    await restoring;
    const log = await project.events();
    expect(log.find(({ type }) => type === "prompt.withdrawn")).toMatchObject({ message: "u2" });
    await expectWhole(project);
    await project.turn(() => {});
  });

  it("whose agent cannot be started fails after the restore, not inside it", async () => {
    const project = await openChanged();
    const { engine, adapter } = project;
    adapter.last.die(0);
    await project.has("session.detached");
    adapter.failure = new Error("it is broken");
    const { restoring, open } = await beginRestore(project, "onApply");
    await engine.run("prompt", { session: "s", parts: text("now"), whenBusy: "queue" }, TESTER);
    await expect(engine.run("attachSession", { session: "s" }, TESTER)).rejects.toMatchObject({
      message: expect.stringContaining("broken"),
    });
    open();
    await restoring;
    await project.has("turn.ended", 2);
    expect((await project.events()).findLast(({ type }) => type === "turn.ended")).toMatchObject({
      outcome: "failed",
    });
    await expectWhole(project);
  });

  it("to steer a turn that the agent began by itself waits too", async () => {
    const project = await openChanged();
    const { engine, adapter } = project;
    const { restoring, open } = await beginRestore(project, "onApply");
    adapter.last.say({ type: "text.delta", part: "p", delta: "By the way" });
    await project.has("turn.started", 2);
    const receipt = await engine.run(
      "prompt",
      { session: "s", parts: text("now"), whenBusy: "steer" },
      TESTER,
    );
    expect(receipt.state).toBe("queued");
    open();
    await restoring;
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await project.has("prompt.dispatched", 2);
    await project.end();
    await expectWhole(project);
  });
});

it("a prompt whose settings are refused during a restore fails after it, and never reaches the agent", async () => {
  const project = await openChanged();
  const { engine, adapter } = project;
  const choices = [{ id: "low" }, { id: "high" }];
  const settings = [{ id: "effort", name: "Effort", value: "low", choices }];
  adapter.last.say({ type: "session.updated", settings });
  await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).settings?.length === 1);
  const refusal = Promise.withResolvers<void>();
  adapter.last.onConfigure = () => refusal.promise;
  await engine.run(
    "prompt",
    { session: "s", parts: text("go"), whenBusy: "queue", settings: { effort: "high" } },
    TESTER,
  );
  await until(() => adapter.last.commands.some(({ type }) => type === "configure"));
  const { restoring, open } = await beginRestore(project, "onApply");
  adapter.last.onConfigure = undefined;
  refusal.reject(new InterlinguaError("unsupported", "No."));
  // It goes the same way, so the refusal has been heard then.
  await engine.run("updateSession", { session: "s", settings: { effort: "low" } }, TESTER);
  open();
  await restoring;
  await project.has("turn.ended", 2);
  expect((await project.events()).findLast(({ type }) => type === "turn.ended")).toMatchObject({
    outcome: "failed",
    error: { code: "unsupported" },
  });
  expect(adapter.last.commands.filter(({ type }) => type === "prompt")).toHaveLength(1);
  await expectWhole(project);
});

it("a restore does not begin inside a turn that an agent began by itself while it was planned", async () => {
  const project = await openChanged();
  const { engine, adapter } = project;
  const { restoring, open } = await beginRestore(project, "onCapture");
  adapter.last.say({ type: "text.delta", part: "p", delta: "By the way" });
  await project.has("turn.started", 2);
  const kept = project.workspace.copies.size;
  open();
  await expect(restoring).rejects.toMatchObject({ code: "workspace_busy" });
  expect(project.workspace.copies.size).toBe(kept);
  expect(project.read("a.txt")).toBe("two");
  await project.end();
  await engine.run("restore", { session: "s", checkpoint: await project.latest("before") }, TESTER);
  expect(project.read("a.txt")).toBe("one");
  await expectWhole(project);
});

it("a prompt that is sent while a restore is planned does not stop the restore", async () => {
  const project = await openChanged();
  const { restoring, open } = await beginRestore(project, "onCapture");
  await project.engine.run("prompt", { session: "s", parts: text("now"), whenBusy: "queue" }, TESTER);
  open();
  expect(await restoring).toMatchObject({ restored: ["a.txt"] });
  await project.has("prompt.dispatched", 2);
  await project.end();
  await expectWhole(project);
});

it("after a restart no prompt of a session that is taken up first comes before another's unfinished restore", async () => {
  const first = await openProject({ isKilled: true });
  first.write("a.txt", "one");
  await create(first.engine, "a-waiting", { cwd: first.cwd });
  await create(first.engine, "s", { cwd: first.cwd });
  await first.turn(() => first.write("a.txt", "two"));
  await beginRestore(first, "onApply");
  await first.engine.run("prompt", { session: "a-waiting", parts: text("next"), whenBusy: "queue" }, TESTER);

  const order: string[] = [];
  first.workspace.onApply = async () => void order.push("restore");
  first.workspace.onCapture = async () => void order.push("checkpoint");
  const { store } = first;
  const loadState = store.loadState.bind(store);
  // The other session is read so late that its prompt would have begun.
  store.loadState = async (id) => {
    if (id === "s") await sleep(300);
    return loadState(id);
  };
  const second = await openProject({ store, workspace: first.workspace, cwd: first.cwd });
  await until(() => second.adapter.sessions.some(({ commands }) => commands.length > 0));
  expect(order[0]).toBe("restore");
  expect(checkLog(await second.events())).toEqual([]);
});

it("a failure of the workspace that passes does not switch undo off", async () => {
  const workspace = new CopyingWorkspace();
  const passing = Promise.withResolvers<string | undefined>();
  const { obstacle } = workspace;
  workspace.obstacle = () => passing.promise;
  const { engine, cwd, write, read, turn, latest } = await openProject({ workspace });
  write("a.txt", "one");
  await create(engine, "s", { cwd });
  const asking = engine.run("listChanges", { session: "s" }, TESTER).then(({ changes }) => changes);
  passing.reject(new Error("too many open files"));
  await expect(asking).rejects.toMatchObject({ code: "workspace_failed" });
  workspace.obstacle = obstacle;
  await turn(() => write("a.txt", "two"));
  await engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER);
  expect(read("a.txt")).toBe("one");
  expect((await engine.run("getSession", { session: "s" }, TESTER)).checkpointObstacle).toBeUndefined();
});
