/** Agents as the engine sees them: they crash, hang, fall silent, cannot be ended, are gone. */

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { principal } from "../../core/principal.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { createEngine } from "../create-engine.ts";
import { create, open, running, text } from "../engine.test-support.ts";

describe("an agent that fails", () => {
  it("ends its turn with the last words of its stderr, and is resumed for the next prompt", async () => {
    const { engine, adapter, events, has } = await running();
    adapter.last.say({ type: "text.delta", part: "p", delta: "half a sen" });
    await engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);
    adapter.last.die(3, null, "panic: out of cheese");
    await until(() => adapter.sessions.length === 2 && adapter.last.commands.length === 1);
    expect(adapter.last.options).toMatchObject({ resume: true, agentSessionId: "native-s" });
    await has("turn.started", 2);
    const ended = (await events()).find((event) => event.type === "turn.ended");
    expect(ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_exited", message: expect.stringMatching(/code 3.*out of cheese/) },
    });
    expect((await events()).find((event) => event.type === "session.detached")).toMatchObject({
      reason: "crash",
      code: 3,
    });
    expect(checkLog(await events())).toEqual([]);
  });

  it("is ended when it does not stop in time", async () => {
    const { engine, adapter, events, has } = await running({ stopGraceMs: 5 });
    await engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    await has("turn.ended");
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
    expect(adapter.last.commands.at(-1)).toEqual({ type: "interrupt" });
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });

  it("says so when a turn has been silent for long, and stops it when that is wanted", async () => {
    const { events, has } = await running({ turnQuietMs: 5, turnQuietStopMs: 20, stopGraceMs: 5 });
    await has("turn.ended");
    expect((await events()).find((event) => event.type === "notice")).toMatchObject({ code: "quiet" });
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
  });

  it("is detached when idle, but not while a task of its own runs", async () => {
    const { adapter, has, events } = await running({ idleDetachMs: 10 });
    adapter.last.say(
      { type: "task.started", task: "k", title: "server" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    await sleep(50);
    expect((await events()).some((event) => event.type === "session.detached")).toBe(false);
    adapter.last.say({ type: "task.ended", task: "k", outcome: "completed" });
    await has("session.detached");
    expect((await events()).at(-1)).toMatchObject({ reason: "idle" });
  });

  it("that cannot resume says that it has forgotten", async () => {
    const adapter = new ScriptedAdapter({ resume: false });
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.die(1);
    await has("session.detached");
    await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER);
    await has("notice");
    expect((await events()).find((event) => event.type === "notice")).toMatchObject({ code: "resume" });
  });
});

describe("an agent that", () => {
  it("dies right after it was started fails the prompt instead of being started for ever", async () => {
    const adapter = new ScriptedAdapter();
    adapter.onConnect = (session) => session.die(7, null, "no licence");
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await has("turn.ended");
    expect(adapter.sessions).toHaveLength(1);
    expect((await events()).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining("no licence") },
    });
  });

  it("never opens its session is given up after a while, and does not hold up closing or deleting", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const { engine, events, has } = await open({ adapter, limits: { connectTimeoutMs: 20 } });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await has("turn.ended");
    expect((await events()).at(-1)).toMatchObject({ error: { code: "agent_failed" } });
    await create(engine, "t");
    await engine.run("prompt", { session: "t", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await engine.run("updateSession", { session: "t", status: "closed" }, TESTER);
    await engine.run("deleteSession", { session: "t" }, TESTER);
  });

  it("cannot be ended does not take the daemon with it", async () => {
    const { engine, adapter, has } = await open({ limits: { idleDetachMs: 5 } });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.close = () => Promise.reject(new Error("stuck in the kernel"));
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("session.detached");
    expect(
      await engine.run("prompt", { session: "s", parts: text("again"), whenBusy: "queue" }, TESTER),
    ).toMatchObject({
      state: "started",
    });
  });

  it.each([
    ["small", "two"],
    ["large", "x".repeat(2_000_000)],
  ])("says something late does not hold up the next prompt for ever: a %s one", async (_size, words) => {
    const { engine, adapter, has, events } = await open({ limits: { agentTurnQuietMs: 5 } });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say(
      { type: "turn.ended", outcome: "completed" },
      { type: "text.delta", part: "late", delta: "x" },
    );
    await has("turn.started", 2);
    await engine.run("prompt", { session: "s", parts: text(words), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last.commands.length === 2);
    expect(checkLog(await events())).toEqual([]);
  });
});

describe("a session whose agent is no longer known", () => {
  it("can be read, closed and deleted, and tells why it cannot be prompted", async () => {
    const first = await open();
    await create(first.engine);
    await first.engine.close();
    const engine = await createEngine({ store: first.store, agents: new Map() });
    onTestFinished(() => engine.close());
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ agent: "scripted" });
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await first.has("turn.ended");
    expect((await first.events()).at(-1)).toMatchObject({ error: { code: "agent_not_found" } });
    expect(await engine.run("updateSession", { session: "s", status: "closed" }, TESTER)).toMatchObject({
      status: "closed",
    });
    await engine.run("deleteSession", { session: "s" }, TESTER);
  });
});
