/** Changes of model, mode and permission mode: in order, the last one wins, and the log says what is in force. */

import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { principal } from "../../core/principal.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, running, text } from "../engine.test-support.ts";

type Change = CommandOf<"configure">;

/** The agent answers each change when the test says so. */
function answeringLater(adapter: ScriptedAdapter) {
  const asked: { change: Change; take(): void; refuse(reason: string): void }[] = [];
  adapter.last.onConfigure = (change) =>
    new Promise<void>((take, reject) => {
      const refuse = (reason: string) => reject(new InterlinguaError("unsupported", reason));
      asked.push({ change, take, refuse });
    });
  return asked;
}

function updates(log: readonly SessionEvent[]) {
  return log
    .filter((event): event is EventOf<"session.updated"> => event.type === "session.updated")
    .map(({ mode, requested }) => ({ mode, requested }));
}

describe("settings", () => {
  it("of two mode changes 3 ms apart the last one is in force, at the agent and in the log", async () => {
    const { engine, adapter, events } = await running();
    const asked = answeringLater(adapter);
    const first = engine.run("updateSession", { session: "s", mode: "plan" }, TESTER);
    await until(() => asked.length === 1);
    const second = engine.run("updateSession", { session: "s", mode: "build" }, TESTER);
    expect((await events()).at(-1)).toMatchObject({ requested: { mode: "plan" } });
    asked[0]?.take();
    expect(await first).toMatchObject({ mode: "plan" });
    await until(() => asked.length === 2);
    asked[1]?.take();
    expect(await second).toMatchObject({ mode: "build" });
    expect(asked.map(({ change }) => change.mode)).toEqual(["plan", "build"]);
    expect(updates(await events())).toEqual([
      { mode: undefined, requested: { mode: "plan" } },
      { mode: "plan", requested: {} },
      { mode: undefined, requested: { mode: "build" } },
      { mode: "build", requested: {} },
    ]);
    expect(checkLog(await events())).toEqual([]);
  });

  it("a request of which one part is refused changes none of the others", async () => {
    const { engine, store } = await open();
    await create(engine);
    const env = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`N${index}`, "v"]));
    await expect(
      engine.run("updateSession", { session: "s", model: "other", env }, TESTER),
    ).rejects.toMatchObject({
      code: "invalid_request",
    });
    // Committed after whatever came before it.
    await engine.run("updateSession", { session: "s", title: "later" }, TESTER);
    expect((await store.getSession("s"))?.model).toBeUndefined();
  });

  it("a change the agent refuses is an error and is not stored", async () => {
    const { engine, adapter, events } = await running();
    const asked = answeringLater(adapter);
    const changing = engine.run("updateSession", { session: "s", model: "nonsense", title: "T" }, TESTER);
    await until(() => asked.length === 1);
    asked[0]?.refuse("There is no such model.");
    await expect(changing).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("There is no such model."),
    });
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
      model: undefined,
      title: undefined,
    });
    expect((await events()).at(-1)).toMatchObject({ type: "session.updated", requested: {} });
    adapter.last.die(1);
    await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.sessions.length === 2);
    expect(adapter.last.options.model).toBeUndefined();
  });

  it("what the agent says it took is what is stored", async () => {
    const { engine, adapter } = await running();
    adapter.last.onConfigure = async () => adapter.last.say({ type: "session.updated", model: "large-2" });
    await engine.run("updateSession", { session: "s", model: "large" }, TESTER);
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).model === "large-2");
  });

  it("an agent that dies before it answers leaves the change to the next one", async () => {
    const { engine, adapter, events } = await running();
    const asked = answeringLater(adapter);
    const changing = engine.run(
      "updateSession",
      { session: "s", mode: "plan", permissionMode: "plan" },
      TESTER,
    );
    await until(() => asked.length === 1);
    adapter.last.die(1);
    expect(await changing).toMatchObject({ mode: "plan", permissionMode: "plan" });
    await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.sessions.length === 2);
    expect(adapter.last.options).toMatchObject({ mode: "plan", permissionMode: "plan" });
    expect(checkLog(await events())).toEqual([]);
  });

  it("a daemon that dies before the agent answers leaves the change to the next one", async () => {
    const before = await open({ isKilled: true });
    await create(before.engine);
    await before.engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => before.adapter.last?.commands.length === 1);
    const asked = answeringLater(before.adapter);
    void before.engine.run("updateSession", { session: "s", mode: "plan" }, TESTER).catch(() => {});
    await until(() => asked.length === 1);
    const { engine, adapter } = await open({ store: before.store });
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ mode: "plan" });
    await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.options.mode).toBe("plan");
  });

  it("a change made while the agent starts comes before the prompt it is started for", async () => {
    const { engine, adapter } = await open();
    await create(engine);
    const ready = Promise.withResolvers<void>();
    const connect = adapter.connect.bind(adapter);
    adapter.connect = async (options) => {
      await ready.promise;
      return connect(options);
    };
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    const changes = ["plan", "build"].map((mode) =>
      engine.run("updateSession", { session: "s", mode }, TESTER),
    );
    ready.resolve();
    await Promise.all(changes);
    await until(() => adapter.last.commands.length === 3);
    expect(adapter.last.commands).toMatchObject([
      { type: "configure", mode: "plan" },
      { type: "configure", mode: "build" },
      { type: "prompt" },
    ]);
  });

  it("no turn begins while a change is under way, and a stop does not wait for it", async () => {
    const { engine, adapter, has } = await running();
    const asked = answeringLater(adapter);
    const changing = engine.run("updateSession", { session: "s", mode: "plan" }, TESTER);
    await until(() => asked.length === 1);
    await engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    await until(() => adapter.last.commands.at(-1)?.type === "interrupt");
    adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
    await has("turn.ended");
    await engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);
    expect(await engine.run("listQueue", { session: "s" }, TESTER)).toHaveLength(1);
    asked[0]?.take();
    await changing;
    await until(() => adapter.last.commands.at(-1)?.type === "prompt");
    expect(await engine.run("listQueue", { session: "s" }, TESTER)).toEqual([]);
  });

  it("a prompt that waits for a change can be stopped", async () => {
    const { engine, adapter, has } = await running();
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    const asked = answeringLater(adapter);
    const changing = engine.run("updateSession", { session: "s", mode: "plan" }, TESTER);
    await until(() => asked.length === 1);
    await engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);
    expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
      true,
    );
    await has("turn.ended", 2);
    asked[0]?.take();
    await changing;
    expect(adapter.last.commands.filter(({ type }) => type === "prompt")).toHaveLength(1);
  });

  it("an agent that never answers does not keep anybody waiting, and nothing is stored", async () => {
    const { engine, adapter } = await running({ settingsTimeoutMs: 5 });
    const asked = answeringLater(adapter);
    await expect(engine.run("updateSession", { session: "s", mode: "plan" }, TESTER)).rejects.toMatchObject({
      code: "agent_timeout",
    });
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ mode: undefined });
    adapter.last.say({ type: "session.updated", mode: "plan" });
    asked[0]?.take();
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).mode === "plan");
  });

  it("the agent hears of a change only when it is in the log", async () => {
    const { engine, adapter, store } = await running();
    const heads: (SessionEvent | undefined)[] = [];
    adapter.last.onConfigure = async () => {
      const { events } = await store.readEvents("s", 0, 1000);
      heads.push(JSON.parse(events.at(-1)!.json));
    };
    await engine.run("updateSession", { session: "s", permissionMode: "bypass" }, TESTER);
    expect(heads).toMatchObject([{ type: "session.updated", requested: { permissionMode: "bypass" } }]);
  });

  it("a mode the agent did not have when it last ran is refused while it does not run", async () => {
    const { engine, adapter, has } = await open({ adapter: new ScriptedAdapter({ moreModes: true }) });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "session.updated", mode: "ask", modes: [{ id: "ask", name: "Ask" }] });
    adapter.last.die(1);
    await has("session.detached");
    await expect(engine.run("updateSession", { session: "s", mode: "aks" }, TESTER)).rejects.toMatchObject({
      code: "unsupported",
    });
    expect(await engine.run("updateSession", { session: "s", mode: "ask" }, TESTER)).toMatchObject({
      mode: "ask",
    });
  });
});
