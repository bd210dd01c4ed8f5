/** Prompts through the engine: taken, repeated, queued, steered, stopped before the agent has them. */

import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { principal } from "../../core/principal.ts";
import type { SessionAppend } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import { requestDigest } from "../session/canonical-json.ts";

describe("prompts", () => {
  it("accepts, attaches, dispatches and ends a turn", async () => {
    const { engine, adapter, events, has } = await open();
    await create(engine);
    const receipt = await engine.run(
      "prompt",
      { session: "s", parts: text("hi"), whenBusy: "queue" },
      TESTER,
    );
    expect(receipt).toMatchObject({ state: "started", seq: 2 });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "hello" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    const log = await events();
    expect(log.map((event) => event.type)).toEqual([
      "session.created",
      "prompt.accepted",
      "session.attached",
      "turn.started",
      "prompt.dispatched",
      "message.started",
      "step.started",
      "text.start",
      "text.delta",
      "text.end",
      "step.ended",
      "turn.ended",
    ]);
    expect(checkLog(log)).toEqual([]);
  });

  it("gives a repeated message id the first answer, and refuses it with other content", async () => {
    const { engine, adapter } = await open();
    await create(engine);
    const send = (words: string) =>
      engine.run("prompt", { session: "s", id: "u1", parts: text(words), whenBusy: "queue" }, TESTER);
    const [first, again] = await Promise.all([send("hi"), send("hi")]);
    expect(again).toEqual(first);
    await expect(send("other")).rejects.toMatchObject({ code: "message_exists" });
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands).toHaveLength(1);
  });

  it("gives a repeated message id the first answer from the log alone, also after a restart", async () => {
    const before = await open({ isKilled: true });
    await create(before.engine);
    const send = ({ engine }: Pick<typeof before, "engine">, id: string, words = id) =>
      engine.run(
        "prompt",
        { session: "s", id, parts: text(words), whenBusy: id === "three" ? "steer" : "queue" },
        TESTER,
      );
    const receipts = [await send(before, "one")];
    await before.has("turn.started");
    for (const id of ["two", "three"]) receipts.push(await send(before, id));
    before.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(() => before.adapter.last.commands.length === 3);
    before.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await before.has("turn.ended", 2);
    receipts.push(await send(before, "four"));
    expect(receipts.map(({ state, turn }) => [state, turn !== undefined])).toEqual([
      ["started", false],
      ["queued", false],
      ["steered", true],
      ["started", true],
    ]);
    const after = await open({ store: before.store });
    for (const [place, id] of ["one", "two", "three", "four"].entries()) {
      expect((await before.store.getMessage("s", id))?.response).toBeUndefined();
      expect(await send(after, id)).toEqual(receipts[place]);
      await expect(send(after, id, "other")).rejects.toMatchObject({ code: "message_exists" });
    }
  });

  it("gives a message id that an older daemon took the answer it kept", async () => {
    const { store, engine } = await open();
    await create(engine);
    const send = (from: typeof engine) =>
      from.run("prompt", { session: "s", id: "u1", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await send(engine);
    const response = { message: "u1", state: "queued", seq: 2 };
    const request = await requestDigest({ parts: text("hi") });
    const older = instrumentStore(store, {
      getMessage: async (session, id) => {
        const row = await store.getMessage(session, id);
        return row && { ...row, request, response: JSON.stringify(response) };
      },
    });
    const { engine: later } = await open({ store: older });
    expect(await send(later)).toEqual(response);
  });

  it("compares a repeated message with a secret in it, or says what is missing for that", async () => {
    const env = { KEY: "a-very-secret-value" };
    const before = await open({ isKilled: true });
    await before.engine.run("createSession", { id: "s", agent: "scripted", cwd: "/", env }, TESTER);
    const send = (engine: typeof before.engine, words: string) =>
      engine.run("prompt", { session: "s", id: "u1", parts: text(words), whenBusy: "queue" }, TESTER);
    const words = `use ${env.KEY}`;
    const first = await send(before.engine, words);
    expect(await send(before.engine, words)).toEqual(first);
    const { engine } = await open({ store: before.store });
    await expect(send(engine, words)).rejects.toMatchObject({ code: "env_required" });
    await engine.run("updateSession", { session: "s", env }, TESTER);
    expect(await send(engine, words)).toEqual(first);
    await expect(send(engine, "use another")).rejects.toMatchObject({ code: "message_exists" });
  });

  it("queues while a turn runs and goes on in order; waiting prompts can be changed and withdrawn", async () => {
    const { engine, adapter, has } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await has("turn.started");
    for (const id of ["two", "three", "four"]) {
      expect(
        await engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER),
      ).toMatchObject({
        state: "queued",
      });
    }
    await engine.run("changeQueued", { session: "s", message: "four", parts: text("4") }, TESTER);
    await engine.run("withdrawQueued", { session: "s", message: "three" }, TESTER);
    expect((await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message)).toEqual([
      "two",
      "four",
    ]);
    await expect(
      engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "reject" }, TESTER),
    ).rejects.toMatchObject({
      code: "session_busy",
    });
    for (let turn = 1; turn <= 3; turn += 1) {
      await until(() => adapter.last.commands.length === turn);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
    }
    await has("turn.ended", 3);
    const sent = adapter.last.commands.map((command) => command.type === "prompt" && command.parts);
    expect(sent).toEqual([text("one"), text("two"), text("4")]);
    await expect(
      engine.run("withdrawQueued", { session: "s", message: "two" }, TESTER),
    ).rejects.toMatchObject({
      code: "message_not_queued",
    });
  });

  it("steers a running turn, and refuses to where the agent cannot", async () => {
    const { engine, adapter, has, events } = await open();
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await has("turn.started");
    const receipt = await engine.run(
      "prompt",
      { session: "s", id: "u2", parts: text("two"), whenBusy: "steer" },
      TESTER,
    );
    expect(receipt).toMatchObject({
      state: "steered",
      turn: (await events()).find((e) => e.type === "turn.started")?.turn,
    });
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ type: "prompt", message: "u2", steer: true });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "x" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    expect(checkLog(await events())).toEqual([]);

    const dull = await open({ adapter: new ScriptedAdapter({ steer: false }) });
    await create(dull.engine);
    await expect(
      dull.engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "steer" }, TESTER),
    ).rejects.toMatchObject({
      code: "unsupported",
    });
  });

  it("can be stopped while the agent is being started, before the agent hears of it", async () => {
    const adapter = new ScriptedAdapter();
    const connect = adapter.connect.bind(adapter);
    let start = () => {};
    adapter.connect = (options) => new Promise((resolve) => (start = () => resolve(connect(options))));
    const { engine, has, events } = await open({ adapter });
    await create(engine);
    expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
      false,
    );
    await engine.run("prompt", { session: "s", id: "u1", parts: text("one"), whenBusy: "queue" }, TESTER);
    await engine.run("prompt", { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" }, TESTER);
    expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
      true,
    );
    start();
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands[0]).toMatchObject({ message: "u2" });
    await has("turn.started", 2);
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
    expect(checkLog(await events())).toEqual([]);
    await expect(
      engine.run("withdrawQueued", { session: "s", message: "nobody" }, TESTER),
    ).rejects.toMatchObject({
      code: "message_not_found",
    });
  });

  it("get the stop of the turn before, which ended while that was written", async () => {
    const inner = await openStore(":memory:");
    let written: Promise<void> | undefined;
    const store = instrumentStore(inner, {
      append: async (batch: readonly SessionAppend[]) => {
        await written;
        return inner.append(batch);
      },
    });
    const { engine, adapter } = await open({ store });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("one"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run("prompt", { session: "s", id: "u2", parts: text("two"), whenBusy: "queue" }, TESTER);
    const slow = Promise.withResolvers<void>();
    written = slow.promise;
    const stop = engine
      .run("interrupt", { session: "s" }, principal("owner", "test"))
      .then(({ interrupted }) => interrupted);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await new Promise((resolve) => setImmediate(resolve));
    slow.resolve();
    expect(await stop).toBe(true);
    await until(() => adapter.last.commands.length > 1);
    expect(adapter.last.commands[1]).toMatchObject({ type: "prompt", message: "u2" });
  });

  it("tells in a failed turn why an agent did not start", async () => {
    const adapter = new ScriptedAdapter();
    adapter.failure = new Error('could not start "scripted": not found on PATH');
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await has("turn.ended");
    expect((await events()).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining("not found on PATH") },
    });
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });
});
