/** One actor for each session, also while its files are being restored. */
import { expect, it } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create } from "../engine.test-support.ts";
import { beginRestore, expectWhole, openChanged } from "./restoring.test-support.ts";

it("a session that is given up during a restore and read again does not write its files twice at once", async () => {
  const inner = await openStore(":memory:");
  let isRefused = false;
  const store = instrumentStore(inner, {
    append: (batch) => {
      if (!isRefused) return inner.append(batch);
      isRefused = false;
      return Promise.reject(new Error("event 9 does not follow 1"));
    },
  });
  const project = await openChanged({ store });
  const { engine, workspace } = project;
  const { restoring, open } = await beginRestore(project, "onApply");
  const order: string[] = [];
  workspace.onApply = async () => void order.push("again");
  isRefused = true;
  await expect(engine.run("updateSession", { session: "s", title: "x" }, TESTER)).rejects.toThrow(
    "does not follow",
  );
  // It is there, with the restore that its log has.
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ id: "s" });
  order.push("first ends");
  open();
  await expect(restoring).rejects.toMatchObject({ code: "store_unavailable" });
  await project.has("checkpoint.restored");
  expect(order).toEqual(["first ends", "again"]);
  expect(project.read("a.txt")).toBe("one");
  await project.turn(() => {});
  await expectWhole(project);
});

it("a session whose restore is being planned is not dropped from memory and loaded a second time", async () => {
  const project = await openChanged({ limits: { unloadMs: 1 } });
  const { engine, adapter } = project;
  adapter.last.die(0);
  await project.has("session.detached");
  const { restoring, open } = await beginRestore(project, "onCapture");
  await create(engine, "idle", { cwd: project.cwd, checkpoints: "off" });
  // Both were looked at when the other one goes.
  await until(() => engine.stats().liveSessions <= 1);
  expect(engine.stats().liveSessions).toBe(1);
  open();
  expect(await restoring).toMatchObject({ restored: ["a.txt"] });
  await expectWhole(project);
  await until(() => engine.stats().liveSessions === 0);
});

it("a session that is being copied is not dropped from memory and loaded a second time", async () => {
  const inner = await openStore(":memory:");
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const store = instrumentStore(inner, {
    listMessages: async (session, query) => {
      reached.resolve();
      await gate.promise;
      return inner.listMessages(session, query);
    },
  });
  const project = await openChanged({ store, limits: { unloadMs: 1 } });
  const { engine, adapter } = project;
  adapter.last.die(0);
  await project.has("session.detached");
  const forking = engine.run("forkSession", { session: "s" }, TESTER);
  await reached.promise;
  await create(engine, "idle", { cwd: project.cwd, checkpoints: "off" });
  await until(() => engine.stats().liveSessions <= 1);
  expect(engine.stats().liveSessions).toBe(1);
  await engine.run("updateSession", { session: "s", title: "meanwhile" }, TESTER);
  gate.resolve();
  const { id } = await forking;
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
    title: "meanwhile",
    forks: [id],
  });
  await expectWhole(project);
});
