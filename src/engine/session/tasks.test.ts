/** Tasks in the background: what is told of them, and how one is stopped. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

async function serving(adapter = new ScriptedAdapter({ stopTasks: true })) {
  const store = await openStore(":memory:");
  const opened = await open({ adapter, store });
  await create(opened.engine);
  await opened.engine.run("prompt", { session: "s", parts: text("serve"), whenBusy: "queue" }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say(
    { type: "task.started", task: "native", title: "npm run dev", kind: "command" },
    { type: "turn.ended", outcome: "completed" },
  );
  await opened.has("turn.ended");
  const [task] = (await opened.engine.run("listTasks", { session: "s" }, TESTER)).tasks;
  return { ...opened, adapter, task: task!.task };
}

it("tells what runs and what it last said", async () => {
  const { engine, adapter, task, has } = await serving();
  adapter.last.say(
    { type: "task.updated", task: "native", status: "listening", progress: { port: 5173 } },
    { type: "task.updated", task: "native", delta: "one\n" },
    { type: "task.updated", task: "native", delta: "two\n" },
  );
  await has("task.updated", 3);
  expect((await engine.run("listTasks", { session: "s" }, TESTER)).tasks).toMatchObject([
    {
      task,
      title: "npm run dev",
      kind: "command",
      state: "running",
      status: "listening",
      progress: { port: 5173 },
      output: "one\ntwo\n",
      startedAt: expect.any(Number),
    },
  ]);
});

it("remembers little of much, and the last twenty that ended", async () => {
  const { engine, adapter, has } = await serving();
  adapter.last.say({
    type: "task.updated",
    task: "native",
    delta: "x".repeat(100_000),
    status: "y".repeat(5000),
  });
  for (let count = 0; count < 25; count += 1) {
    const task = `t${count}`;
    adapter.last.say(
      { type: "task.started", task, title: task },
      { type: "task.ended", task, outcome: "completed", summary: "z".repeat(5000) },
    );
  }
  await has("task.ended", 25);
  const tasks = (await engine.run("listTasks", { session: "s" }, TESTER)).tasks;
  expect(tasks.map(({ title }) => title)).toEqual([
    "npm run dev",
    ...Array.from({ length: 20 }, (_, place) => `t${24 - place}`),
  ]);
  expect(JSON.stringify(tasks).length).toBeLessThan(30_000);
});

it("tells the agent to end one, once it is in the log, and hears from the agent that it has", async () => {
  const { engine, adapter, task, events, has } = await serving();
  expect(await engine.run("stopTask", { session: "s", task }, TESTER)).toMatchObject({
    task,
    state: "stopping",
    stoppingBy: TESTER.name,
  });
  await until(() => adapter.last.commands.at(-1)?.type === "stopTask");
  expect(adapter.last.commands.at(-1)).toEqual({ type: "stopTask", task: "native" });
  expect((await events()).at(-1)).toMatchObject({ type: "task.stopping", task, by: TESTER.name });
  adapter.last.say({ type: "task.ended", task: "native", outcome: "stopped", summary: "It was stopped." });
  await has("task.ended");
  const ended = { task, state: "stopped", summary: "It was stopped.", endedAt: expect.any(Number) };
  expect((await engine.run("listTasks", { session: "s" }, TESTER)).tasks).toMatchObject([ended]);
  expect(await engine.run("stopTask", { session: "s", task }, TESTER)).toMatchObject(ended);
  expect(checkLog(await events())).toEqual([]);
});

it("tells the agent again, and the log once", async () => {
  const { engine, adapter, task, events } = await serving();
  await engine.run("stopTask", { session: "s", task }, TESTER);
  await engine.run("stopTask", { session: "s", task }, TESTER);
  await until(() => adapter.last.commands.filter(({ type }) => type === "stopTask").length === 2);
  expect((await events()).filter(({ type }) => type === "task.stopping")).toHaveLength(1);
});

it("says so where the agent ends none, where there is no such task, and where the agent refuses", async () => {
  const deaf = await serving(new ScriptedAdapter());
  await expect(deaf.engine.run("stopTask", { session: "s", task: deaf.task }, TESTER)).rejects.toMatchObject({
    code: "unsupported",
  });
  const { engine, adapter, task, has, events } = await serving();
  await expect(engine.run("stopTask", { session: "s", task: "none" }, TESTER)).rejects.toMatchObject({
    code: "task_not_found",
  });
  adapter.last.onCommand = () => {
    throw new Error("I will not");
  };
  await engine.run("stopTask", { session: "s", task }, TESTER);
  await has("notice");
  expect((await events()).at(-1)).toMatchObject({ type: "notice", level: "warning", code: "task" });
  expect((await engine.run("listTasks", { session: "s" }, TESTER)).tasks).toMatchObject([
    { task, state: "stopping" },
  ]);
});

it("ends with its agent, whoever wanted it to end", async () => {
  const { engine, adapter, task, has, events } = await serving();
  await engine.run("stopTask", { session: "s", task }, TESTER);
  adapter.last.die(1);
  await has("session.detached");
  expect((await engine.run("listTasks", { session: "s" }, TESTER)).tasks).toMatchObject([
    { task, state: "lost" },
  ]);
  expect(checkLog(await events(), { complete: true })).toEqual([]);
});
