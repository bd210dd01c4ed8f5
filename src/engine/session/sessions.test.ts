/** Sessions through the engine: made, changed, rewound, closed, deleted. */
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

describe("sessions", () => {
  it("are created once; the same request again changes nothing, another one is refused", async () => {
    const { engine } = await open();
    expect((await create(engine)).created).toBe(true);
    expect((await create(engine)).created).toBe(false);
    await expect(
      engine.run("createSession", { id: "s", agent: "scripted", cwd: "/tmp" }, TESTER),
    ).rejects.toMatchObject({
      code: "session_exists",
    });
    await expect(engine.run("createSession", { agent: "nobody", cwd: "/" }, TESTER)).rejects.toMatchObject({
      code: "agent_not_found",
      extras: { agents: ["scripted"] },
    });
    await expect(
      engine.run("createSession", { agent: "scripted", cwd: "/", mode: "dance" }, TESTER),
    ).rejects.toMatchObject({
      code: "unsupported",
    });
    await expect(engine.run("updateSession", { session: "s", mode: "dance" }, TESTER)).rejects.toMatchObject({
      code: "unsupported",
    });
    await expect(engine.run("getSession", { session: "nobody" }, TESTER)).rejects.toMatchObject({
      code: "session_not_found",
    });
  });

  it("pass on changes of model and mode, and keep them for the next process", async () => {
    const { engine, adapter, has } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run(
      "updateSession",
      { session: "s", model: "large", permissionMode: "plan", title: "T" },
      TESTER,
    );
    expect(adapter.last.commands.at(-1)).toMatchObject({
      type: "configure",
      model: "large",
      permissionMode: "plan",
    });
    adapter.last.die(1);
    await has("session.detached");
    await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.sessions.length === 2);
    expect(adapter.last.options).toMatchObject({ model: "large", permissionMode: "plan" });
    await expect(
      engine.run("updateSession", { session: "s", permissionMode: "wild" }, TESTER),
    ).rejects.toMatchObject({
      code: "unsupported",
    });
  });

  it("are closed with their agent ended and waiting prompts withdrawn, and stay readable", async () => {
    const { engine, events, has } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await has("turn.started");
    await engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    expect((await engine.run("updateSession", { session: "s", status: "closed" }, TESTER)).status).toBe(
      "closed",
    );
    const log = await events();
    expect(log.at(-1)?.type).toBe("session.closed");
    expect(checkLog(log, { complete: true })).toEqual([]);
    await expect(
      engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "queue" }, TESTER),
    ).rejects.toMatchObject({
      code: "session_closed",
    });
  });

  it("are pinned, archived and renamed also when they are closed, and nothing else", async () => {
    const { engine, events, store } = await open();
    await create(engine);
    const { updatedAt } = await engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    expect(
      await engine.run("updateSession", { session: "s", pinned: true, archived: true }, TESTER),
    ).toMatchObject({
      status: "closed",
      pinned: true,
      archived: true,
      // To sort a session is no work on it.
      updatedAt,
    });
    const labelled = (await events()).at(-1);
    expect(labelled).toMatchObject({
      type: "session.updated",
      pinned: true,
      archived: true,
      by: TESTER.name,
    });
    // What it is already is no event.
    await engine.run("updateSession", { session: "s", pinned: true }, TESTER);
    expect((await events()).at(-1)).toEqual(labelled);
    await engine.run("updateSession", { session: "s", title: "Late", archived: false }, TESTER);
    const row = await store.getSession("s");
    expect(row).toMatchObject({ title: "Late", pinned: true });
    expect(row).not.toHaveProperty("archived");
    for (const change of [
      { metadata: {} },
      { title: "x", metadata: {} },
      { env: { A: "b" } },
      { model: "m" },
    ])
      await expect(engine.run("updateSession", { session: "s", ...change }, TESTER)).rejects.toMatchObject({
        code: "session_closed",
      });
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });

  it("say what their own turns cost, and go on counting after a restart", async () => {
    const { engine, adapter, events, store, has } = await open({ isKilled: true });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await has("turn.started");
    expect(await engine.run("getSession", { session: "s" }, TESTER)).not.toHaveProperty("cost");
    adapter.last.say({ type: "usage", input: 1, cost: 0.1 }, { type: "usage", cost: 0.2 });
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    expect((await engine.run("getSession", { session: "s" }, TESTER)).cost).toBe(0.3);
    const fork = await engine.run("forkSession", { session: "s" }, TESTER);
    expect(fork).not.toHaveProperty("cost");
    const later = await open({ store, adapter });
    await later.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    await has("turn.started", 2);
    adapter.last.say({ type: "usage", cost: 0.25 }, { type: "turn.ended", outcome: "completed" });
    await has("turn.ended", 2);
    expect((await later.engine.run("getSession", { session: "s" }, TESTER)).cost).toBe(0.55);
    expect(checkLog(await events())).toEqual([]);
  });

  it("are deleted with their readers told", async () => {
    const { engine, store } = await open();
    await create(engine);
    let deleted = false;
    engine.follow(
      "s",
      () => {},
      () => {
        deleted = true;
      },
    );
    await engine.run("deleteSession", { session: "s" }, TESTER);
    expect(deleted).toBe(true);
    expect(await store.getSession("s")).toBeUndefined();
    expect((await create(engine)).created).toBe(true);
  });

  it("closed while the agent is told to forget get nothing more into their logs", async () => {
    const { engine, adapter, has, events } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", id: "u1", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    const telling = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    adapter.last.send = () => {
      telling.resolve();
      return told.promise;
    };
    const rewinding = engine.run("rewind", { session: "s", before: "u1" }, TESTER);
    await telling.promise;
    await engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    told.reject(new Error("it is gone"));
    expect(await rewinding).toMatchObject({ agentForgot: false });
    const log = await events();
    expect(log.at(-1)?.type).toBe("session.closed");
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("rewind the conversation and tell whether the agent forgot too", async () => {
    const { engine, adapter, has, store, events } = await open();
    await create(engine);
    for (const [turn, id] of ["u1", "u2"].entries()) {
      await engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER);
      await until(() => adapter.last?.commands.length === turn + 1);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
      await has("turn.ended", turn + 1);
    }
    expect(await engine.run("rewind", { session: "s", before: "u2" }, TESTER)).toMatchObject({
      before: "u2",
      agentForgot: true,
    });
    expect(adapter.last.commands.at(-1)).toEqual({ type: "rewind", before: "u2" });
    const { messages } = await store.listMessages("s", { limit: 10 });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    await expect(engine.run("rewind", { session: "s", before: "u2" }, TESTER)).rejects.toMatchObject({
      code: "message_not_found",
    });
    expect(
      await engine.run(
        "prompt",
        { session: "s", id: "u2", parts: text("u2 again"), whenBusy: "queue" },
        TESTER,
      ),
    ).toMatchObject({
      state: "started",
    });
    await until(() => adapter.last.commands.length === 4);
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "x" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended", 3);
    const again = await store.listMessages("s", { limit: 10 });
    expect(again.messages.map(({ id, role }) => (role === "user" ? id : role))).toEqual([
      "u1",
      "assistant",
      "u2",
      "assistant",
    ]);
    expect(checkLog(await events())).toEqual([]);

    const dull = await open({ adapter: new ScriptedAdapter({ rewind: false }) });
    await create(dull.engine);
    await dull.engine.run("prompt", { session: "s", id: "u1", parts: text("x"), whenBusy: "queue" }, TESTER);
    await until(() => dull.adapter.last?.commands.length === 1);
    dull.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await dull.has("turn.ended");
    expect(await dull.engine.run("rewind", { session: "s", before: "u1" }, TESTER)).toMatchObject({
      agentForgot: false,
    });
    expect((await dull.events()).slice(-2)).toMatchObject([
      { type: "notice", code: "rewind" },
      { type: "session.detached" },
    ]);
  });
});
