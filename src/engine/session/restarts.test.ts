/** What the next engine makes of what a dead or stopped one left. */
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, permission, text } from "../engine.test-support.ts";

describe("a daemon that died", () => {
  it("closes the open turn honestly, keeps the queue and never sends a prompt twice", async () => {
    const first = await open({ isKilled: true });
    await create(first.engine);
    await first.engine.run(
      "prompt",
      { session: "s", id: "u1", parts: text("one"), whenBusy: "queue" },
      TESTER,
    );
    await until(() => first.adapter.last?.commands.length === 1);
    first.adapter.last.say(...permission);
    await first.has("ask.opened");
    await first.engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" },
      TESTER,
    );

    // The first engine is simply forgotten, as kill -9 would do.
    const second = await open({ store: first.store });
    await until(() => second.adapter.last?.commands.length === 1);
    expect(second.adapter.last.options).toMatchObject({ resume: true });
    expect(second.adapter.last.commands).toEqual([
      expect.objectContaining({ type: "prompt", message: "u2" }),
    ]);
    const log = await second.events();
    expect(log.find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
      delivery: "known",
    });
    expect(log.find((event) => event.type === "ask.closed")).toMatchObject({ outcome: "cancelled" });
    expect(checkLog(log)).toEqual([]);
  });
});

describe("an old session does not jump to the top", () => {
  const lastAt = (log: SessionEvent[], type: SessionEvent["type"]) =>
    log.findLast((event) => event.type === type)?.at;

  it("when its idle agent is let go", async () => {
    const { adapter, engine, events, has, store } = await open({ limits: { idleDetachMs: 10 } });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("session.detached");
    expect((await store.getSession("s"))?.updatedAt).toBe(lastAt(await events(), "turn.ended"));
  });

  it("when the daemon was killed during its turn, or is started again", async () => {
    const first = await open({ isKilled: true });
    await create(first.engine);
    await first.engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => first.adapter.last?.commands.length === 1);
    first.adapter.last.say(...permission);
    await first.has("ask.opened");
    const openedAt = lastAt(await first.events(), "ask.opened")!;
    await until(() => Date.now() > openedAt + 5);

    const second = await open({ store: first.store });
    await second.has("session.detached");
    expect((await first.store.getSession("s"))?.updatedAt).toBe(openedAt);
    // Nor does the time until then count as its agent's work.
    const startedAt = lastAt(await second.events(), "turn.started")!;
    const { rows } = await first.store.usage({ limit: 10 });
    expect(rows.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(openedAt - startedAt);
    await second.engine.close();
    await open({ store: first.store });
    expect((await first.store.getSession("s"))?.updatedAt).toBe(openedAt);
  });
});

describe("a daemon that stops", () => {
  it("says so in the end of the turn, also where the agent ends it when it is told to leave", async () => {
    const adapter = new ScriptedAdapter();
    adapter.onConnect = (session) => {
      session.close = async () => {
        session.say({ type: "turn.ended", outcome: "interrupted" });
        session.die(0);
      };
    };
    const { engine, events } = await open({ adapter });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.close();
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
    });
  });

  it("says of a session that a restart cut it off, until its next turn begins", async () => {
    const first = await open();
    await create(first.engine);
    await first.engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await until(() => first.adapter.last?.commands.length === 1);
    expect(await first.store.getSession("s")).not.toHaveProperty("cutOffAt");

    const second = await open({ store: first.store });
    const log = await second.events();
    const ended = log.find((event) => event.type === "turn.ended");
    expect((await second.store.getSession("s"))?.cutOffAt).toBe(ended?.at);
    await second.engine.run("prompt", { session: "s", parts: text("two"), whenBusy: "queue" }, TESTER);
    await second.has("prompt.dispatched");
    await until(() => second.adapter.last?.commands.length === 1);
    expect(await second.store.getSession("s")).not.toHaveProperty("cutOffAt");
    expect(checkLog(await second.events())).toEqual([]);
  });

  it("keeps a prompt whose agent is only being started, and gives it to the agent after the next start", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const first = await open({ adapter });
    await create(first.engine);
    await first.engine.run(
      "prompt",
      { session: "s", id: "u1", parts: text("one"), whenBusy: "queue" },
      TESTER,
    );
    await first.engine.close();
    expect((await first.events()).map(({ type }) => type)).toEqual(["session.created", "prompt.accepted"]);

    const second = await open({ store: first.store });
    await until(() => second.adapter.last?.commands.length === 1);
    expect(second.adapter.last.commands[0]).toMatchObject({ type: "prompt", message: "u1" });
  });
});
