/** The engine with more than it should take: of prompts, of what an agent says, and of one session that is broken. */

import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Draft } from "../../core/draft.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { principal } from "../../core/principal.ts";
import { promptText } from "../../core/prompt-part.ts";
import type { SessionAppend, Store } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, running, text } from "../engine.test-support.ts";

const MB = 1024 * 1024;
const queued = (id: string, words: string) => ({ id, parts: text(words), whenBusy: "queue" as const });
const ended: Draft = { type: "turn.ended", outcome: "completed" };
const of = <Type extends SessionEvent["type"]>(events: SessionEvent[], type: Type) =>
  events.filter((event): event is EventOf<Type> & SessionEvent => event.type === type);

/** A store that remembers the snapshots it was given. */
async function watched(): Promise<{ store: Store; snapshots: string[] }> {
  const inner = await openStore(":memory:");
  const snapshots: string[] = [];
  const append = (batch: readonly SessionAppend[]) => {
    for (const { snapshot } of batch) if (snapshot) snapshots.push(snapshot.json);
    return inner.append(batch);
  };
  return { store: instrumentStore(inner, { append }), snapshots };
}

describe("large prompts behind a turn that hangs", () => {
  it("are refused with 429 when they are too much for the session, before they are too much for the daemon", async () => {
    const { engine } = await running({ maxQueuedBytes: 1000 });
    await engine.run("prompt", { session: "s", ...queued("one", "x".repeat(900)) }, TESTER);
    const refusal = engine.run("prompt", { session: "s", ...queued("two", "x".repeat(200)) }, TESTER);
    await expect(refusal).rejects.toMatchObject({ code: "queue_full", status: 429 });
    await expect(refusal).rejects.toThrow("limits.maxQueuedBytes");
    await expect(
      engine.run("changeQueued", { session: "s", message: "one", parts: text("x".repeat(2000)) }, TESTER),
    ).rejects.toMatchObject({
      code: "queue_full",
    });
    await engine.run("withdrawQueued", { session: "s", message: "one" }, TESTER);
    await engine.run("prompt", { session: "s", ...queued("three", "x".repeat(2000)) }, TESTER);
    expect((await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message)).toEqual([
      "three",
    ]);
  });

  it("are refused when too many wait, and when all sessions together wait for too much", async () => {
    const { engine, adapter } = await running({ maxQueuedPrompts: 3, maxQueuedBytesInAll: 100_000 });
    await create(engine, "t");
    await engine.run("prompt", { session: "t", ...queued("t1", "hi") }, TESTER);
    await until(() => adapter.last.sessionId === "t" && adapter.last.commands.length === 1);
    await engine.run("prompt", { session: "t", ...queued("t2", "x".repeat(80_000)) }, TESTER);
    await expect(
      engine.run("prompt", { session: "s", ...queued("a", "x".repeat(70_000)) }, TESTER),
    ).rejects.toThrow("maxQueuedBytesInAll");
    await engine.run("prompt", { session: "s", ...queued("a", "x".repeat(60_000)) }, TESTER);
    await engine.run("withdrawQueued", { session: "s", message: "a" }, TESTER);
    await engine.run("deleteSession", { session: "t" }, TESTER);
    await engine.run("prompt", { session: "s", ...queued("aa", "x".repeat(90_000)) }, TESTER);
    await engine.run("prompt", { session: "s", ...queued("b", "x") }, TESTER);
    await expect(engine.run("prompt", { session: "s", ...queued("c", "x") }, TESTER)).rejects.toThrow(
      "maxQueuedPrompts",
    );
  });

  it("stay out of snapshots, and reach the agent whole after a restart", async () => {
    const { store, snapshots } = await watched();
    const first = await open({ store, isKilled: true });
    await create(first.engine);
    await first.engine.run("prompt", { session: "s", ...queued("now", "hi") }, TESTER);
    await until(() => first.adapter.last?.commands.length === 1);
    const long = `long ${"x".repeat(3 * MB)}`;
    await first.engine.run("prompt", { session: "s", ...queued("large", long) }, TESTER);
    await first.engine.run("prompt", { session: "s", ...queued("small", "as it was") }, TESTER);
    await first.engine.run(
      "changeQueued",
      { session: "s", message: "small", parts: text("as it is now") },
      TESTER,
    );
    const view = await first.engine.run("listQueue", { session: "s" }, TESTER);
    expect(view.map(({ parts, bytes }) => [promptText(parts).length, bytes])).toEqual([
      [long.length, long.length],
      [12, 12],
    ]);
    expect(
      (await first.engine.run("listQueue", { session: "s", maxBytes: 100 }, TESTER)).map(
        ({ parts }) => parts.length,
      ),
    ).toEqual([1, 0]);
    await first.engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    first.adapter.last.say(ended);
    await until(() =>
      first.adapter.last.commands.some((it) => it.type === "prompt" && it.message === "large"),
    );

    const second = await open({ store });
    await until(() => second.adapter.last?.commands.length === 1);
    second.adapter.last.say(ended);
    const commands = [...first.adapter.last.commands, ...second.adapter.last.commands];
    const said = commands.flatMap((it) => (it.type === "prompt" ? [promptText(it.parts)] : []));
    expect(said).toEqual(["hi", long, "as it is now"]);
    await until(async () => of(await second.events(), "turn.ended").length === 3);
    expect(checkLog(await second.events())).toEqual([]);
    expect(snapshots.length).toBeGreaterThan(0);
    expect(Math.max(...snapshots.map((json) => json.length))).toBeLessThan(10_000);
  });

  it("are taken up from the snapshot of an older daemon, which had them in it", async () => {
    const inner = await openStore(":memory:");
    const first = await open({ store: inner, isKilled: true });
    await create(first.engine);
    await first.engine.run("prompt", { session: "s", ...queued("now", "hi") }, TESTER);
    await until(() => first.adapter.last?.commands.length === 1);
    await first.engine.run("prompt", { session: "s", ...queued("next", "as it was") }, TESTER);
    await first.engine.run(
      "changeQueued",
      { session: "s", message: "next", parts: text("as it is now") },
      TESTER,
    );
    const head = (await first.events()).length;
    const parts = text("as it is now");
    const old = { version: 1, head, queue: [{ message: "next", parts, whenBusy: "queue", at: 1, seq: 4 }] };
    const store = instrumentStore(inner, {
      loadState: async (session: string) => {
        const stored = await inner.loadState(session);
        return stored && { ...stored, snapshot: { seq: head, json: JSON.stringify(old) } };
      },
    });
    const second = await open({ store });
    await until(() => second.adapter.last?.commands.length === 1);
    expect(second.adapter.last.commands[0]).toMatchObject({ message: "next", parts });
  });

  it("fail alone where their content cannot be read any more", async () => {
    const inner = await openStore(":memory:");
    let isBroken = false;
    const readEvents: Store["readEvents"] = (session, after, limit, maxBytes) =>
      isBroken && limit === 1
        ? Promise.reject(new Error("disk I/O error"))
        : inner.readEvents(session, after, limit, maxBytes);
    const { engine, adapter, events } = await open({ store: instrumentStore(inner, { readEvents }) });
    await create(engine);
    await engine.run("prompt", { session: "s", ...queued("now", "hi") }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run("prompt", { session: "s", ...queued("large", "x".repeat(2 * MB)) }, TESTER);
    isBroken = true;
    adapter.last.say(ended);
    await until(async () => of(await events(), "turn.ended").length === 2);
    expect(of(await events(), "turn.ended")[1]).toMatchObject({ error: { code: "session_damaged" } });
    isBroken = false;
    await engine.run("prompt", { session: "s", ...queued("last", "again") }, TESTER);
    await until(() => adapter.last.commands.length === 2);
    expect(checkLog(await events())).toEqual([]);
  });
});

describe("an agent that opens calls with huge titles", () => {
  it("gets them cut in log, state and snapshot, and its session goes on", async () => {
    const { store, snapshots } = await watched();
    const { engine, adapter, events } = await open({ store });
    await create(engine);
    await engine.run("prompt", { session: "s", ...queued("one", "hi") }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    for (let call = 0; call < 14; call += 1) {
      const id = `${"i".repeat(MB)}${call}`;
      adapter.last.say({ type: "tool.start", call: id, name: "n".repeat(MB), title: "t".repeat(5 * MB) });
      adapter.last.say({ type: "tool.input.delta", call: id, delta: "{" });
    }
    adapter.last.say(ended);
    await until(async () => of(await events(), "turn.ended").length === 1);
    const log = await events();
    expect(checkLog(log, { complete: true })).toEqual([]);
    expect(of(log, "tool.start")).toHaveLength(14);
    expect(new Set(of(log, "tool.start").map(({ native }) => native)).size).toBe(14);
    expect(of(log, "tool.start")[0]!.title).toMatch(/\[cut here: 5242880 characters in all/);
    expect(of(log, "tool.input.delta")).toHaveLength(14);
    expect(Math.max(...log.map((event) => JSON.stringify(event).length))).toBeLessThan(64 * 1024);
    expect(Math.max(...snapshots.map((json) => json.length))).toBeLessThan(MB);
  });

  it("gets the answer to an ask under its own id, however long that is", async () => {
    const { engine, adapter, events } = await running();
    const ask = `ask-${"q".repeat(2000)}`;
    const options = [{ id: "yes", label: "Yes", effect: "once" as const }];
    adapter.last.say({ type: "ask.opened", ask, kind: "permission", title: "?", options });
    await until(async () => of(await events(), "ask.opened").length === 1);
    const [opened] = of(await events(), "ask.opened");
    expect(opened!.native!.length).toBeLessThan(600);
    await engine.run(
      "replyToAsk",
      { session: "s", ask: opened!.ask, option: "yes" },
      principal("me", "test"),
    );
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ type: "reply", ask, option: "yes" });
  });
});

describe("a session that something goes wrong with", () => {
  it("is given up alone when what it says cannot be written as JSON", async () => {
    const { engine, adapter, events } = await running();
    await create(engine, "t");
    const loop: { self?: unknown } = {};
    loop.self = loop;
    // No translator makes this of a line; it stands for any fault in what is made of one.
    adapter.last.say({ type: "usage", input: 1, context: { used: 1, toJSON: () => loop } as never });
    expect(await engine.run("updateSession", { session: "t", title: "fine" }, TESTER)).toMatchObject({
      title: "fine",
    });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status !== "running");
    await engine.run("prompt", { session: "s", ...queued("again", "go on") }, TESTER);
    await until(() => adapter.sessions.length === 2 && adapter.last.commands.length === 1);
    expect(checkLog(await events())).toEqual([]);
  });

  it("answers 500 session_damaged when it cannot be read, can be deleted, and the others go on", async () => {
    const inner = await openStore(":memory:");
    const first = await open({ store: inner, isKilled: true });
    await create(first.engine, "bad");
    await create(first.engine, "good");
    const store = instrumentStore(inner, {
      loadState: (session: string) =>
        session === "bad" ? Promise.reject(new Error("malformed")) : inner.loadState(session),
    });
    const { engine } = await open({ store });
    await expect(engine.run("getSession", { session: "bad" }, TESTER)).rejects.toMatchObject({
      code: "session_damaged",
      status: 500,
    });
    await expect(
      engine.run("prompt", { session: "bad", ...queued("x", "hi") }, TESTER),
    ).rejects.toMatchObject({
      code: "session_damaged",
    });
    expect(await engine.run("getSession", { session: "good" }, TESTER)).toMatchObject({ id: "good" });
    await engine.run("deleteSession", { session: "bad" }, TESTER);
    expect(await inner.getSession("bad")).toBeUndefined();
  });
});
