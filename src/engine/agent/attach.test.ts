/** An agent is started without a prompt. */
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

/** Tells its models with its start, as most agents do. */
function adapterWithModels(): ScriptedAdapter {
  const adapter = new ScriptedAdapter();
  adapter.onConnect = (session) => session.say({ type: "session.updated", models: [{ id: "large" }] });
  return adapter;
}

describe("attaching", () => {
  it("starts one agent for many who ask at once, and gives what it offers", async () => {
    const { engine, adapter, events } = await open({ adapter: adapterWithModels() });
    await create(engine);
    const views = await Promise.all(
      Array.from({ length: 20 }, () => engine.run("attachSession", { session: "s" }, TESTER)),
    );
    expect(views.map(({ attached, models }) => [attached, models?.[0]?.id])).toEqual(
      Array.from({ length: 20 }, () => [true, "large"]),
    );
    expect(await engine.run("attachSession", { session: "s" }, TESTER)).toMatchObject({
      attached: true,
      status: "idle",
    });
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last.commands.length === 1);
    expect(adapter.sessions).toHaveLength(1);
    const types = (await events()).map(({ type }) => type);
    expect(types.indexOf("session.attached")).toBeLessThan(types.indexOf("prompt.accepted"));
    expect(checkLog(await events())).toEqual([]);
  });

  it("waits for an agent that tells its models after its start", async () => {
    const { engine, adapter } = await open();
    await create(engine);
    let isAnswered = false;
    const attaching = engine
      .run("attachSession", { session: "s" }, TESTER)
      .finally(() => (isAnswered = true));
    await until(() => adapter.last !== undefined);
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).attached);
    expect(isAnswered).toBe(false);
    adapter.last.say({ type: "session.updated", models: [{ id: "late" }] });
    expect((await attaching).models).toEqual([{ id: "late" }]);
  });

  it("does not wait for models of an agent that dies meanwhile", async () => {
    const { engine, adapter, has } = await open();
    await create(engine);
    const attaching = engine.run("attachSession", { session: "s" }, TESTER);
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).attached);
    // An agent that dies before its start has settled, which takes up to three turns of the event loop, fails the start.
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    adapter.last.die(1);
    expect((await attaching).attached).toBe(false);
    await has("session.detached");
  });

  it("rejects with the failure of the start, adds no turn, and can be tried again", async () => {
    const adapter = adapterWithModels();
    adapter.failure = new InterlinguaError("agent_not_signed_in", "Nobody is signed in. Sign in.");
    const { engine, events } = await open({ adapter });
    await create(engine);
    await expect(
      Promise.all([
        engine.run("attachSession", { session: "s" }, TESTER),
        engine.run("attachSession", { session: "s" }, TESTER),
      ]),
    ).rejects.toMatchObject({
      code: "agent_not_signed_in",
      message: "Nobody is signed in. Sign in.",
    });
    expect((await events()).map(({ type }) => type)).toEqual(["session.created"]);
    adapter.failure = undefined;
    expect(await engine.run("attachSession", { session: "s" }, TESTER)).toMatchObject({ attached: true });
  });

  it("is refused for a closed session, and when it is closed or deleted meanwhile", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const { engine } = await open({ adapter });
    await create(engine, "closed");
    await create(engine, "deleted");
    const closing = engine.run("attachSession", { session: "closed" }, TESTER).catch((error) => error.code);
    const deleting = engine.run("attachSession", { session: "deleted" }, TESTER).catch((error) => error.code);
    await engine.run("updateSession", { session: "closed", status: "closed" }, TESTER);
    await engine.run("deleteSession", { session: "deleted" }, TESTER);
    expect(await Promise.all([closing, deleting])).toEqual(["session_closed", "session_not_found"]);
    await expect(engine.run("attachSession", { session: "closed" }, TESTER)).rejects.toMatchObject({
      code: "session_closed",
    });
    await expect(engine.run("attachSession", { session: "deleted" }, TESTER)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("keeps to the limit of agents: an idle one makes room, those at work are not disturbed", async () => {
    const { engine, adapter, has } = await open({
      adapter: adapterWithModels(),
      limits: { maxLiveAgents: 1 },
    });
    for (const id of ["s", "t", "u"]) await create(engine, id);
    await engine.run("attachSession", { session: "s" }, TESTER);
    expect(await engine.run("attachSession", { session: "t" }, TESTER)).toMatchObject({ attached: true });
    await has("session.detached");
    await engine.run("prompt", { session: "t", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last.commands.length === 1);
    await expect(engine.run("attachSession", { session: "u" }, TESTER)).rejects.toMatchObject({
      code: "too_many_sessions",
    });
  });

  it("starts an idle agent again that is being ended at that moment", async () => {
    const { engine, adapter, events, has } = await open({
      adapter: adapterWithModels(),
      limits: { idleDetachMs: 5 },
    });
    await create(engine);
    const ending = Promise.withResolvers<void>();
    let isEnding = false;
    const connected = adapter.onConnect;
    adapter.onConnect = (session) => {
      connected?.(session);
      const close = session.close.bind(session);
      session.close = async () => {
        isEnding = true;
        await ending.promise;
        await close();
      };
      adapter.onConnect = connected;
    };
    await engine.run("attachSession", { session: "s" }, TESTER);
    await until(() => isEnding);
    const attaching = engine.run("attachSession", { session: "s" }, TESTER);
    ending.resolve();
    await attaching;
    await has("session.attached", 2);
    expect(adapter.sessions.length).toBeGreaterThanOrEqual(2);
    expect(checkLog(await events())).toEqual([]);
  });

  it("is refused while the daemon stops", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const { engine } = await open({ adapter });
    await create(engine);
    const attaching = engine.run("attachSession", { session: "s" }, TESTER).catch((error) => error.code);
    await engine.run("getSession", { session: "s" }, TESTER);
    await engine.close();
    expect(await attaching).toBe("shutting_down");
  });
});

describe("detaching", () => {
  it("ends an idle agent, and the next prompt starts it again", async () => {
    const { engine, adapter, events } = await open();
    await create(engine);
    await engine.run("attachSession", { session: "s" }, TESTER);
    const detached = await engine.run("detachSession", { session: "s" }, TESTER);
    expect(detached.attached).toBe(false);
    expect((await events()).at(-1)).toMatchObject({ type: "session.detached", reason: "idle" });
    // Again it changes nothing.
    const { length } = await events();
    await engine.run("detachSession", { session: "s" }, TESTER);
    expect(await events()).toHaveLength(length);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last.commands.length === 1);
    expect(adapter.sessions).toHaveLength(2);
    expect(checkLog(await events())).toEqual([]);
  });

  it("is refused while the agent works, and stops nothing", async () => {
    const { engine, adapter } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await expect(engine.run("detachSession", { session: "s" }, TESTER)).rejects.toMatchObject({
      code: "session_busy",
    });
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ status: "running" });
  });
});
