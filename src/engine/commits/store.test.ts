/** The engine with a store that does not take what it is given. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionAppend } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

describe("a session whose data the store refuses", () => {
  it("is given up and read again, and the others go on", async () => {
    const inner = await openStore(":memory:");
    let poison = true;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) => {
        const isBad = poison && batch.some(({ session, events }) => session === "s" && events[0]!.seq > 1);
        return isBad ? Promise.reject(new Error("event 9 does not follow 1")) : inner.append(batch);
      },
    });
    const { engine } = await open({ store });
    await create(engine);
    await create(engine, "t");
    const refused = engine.run("updateSession", { session: "s", title: "x" }, TESTER);
    const fine = engine.run("updateSession", { session: "t", title: "y" }, TESTER);
    await expect(refused).rejects.toThrow("does not follow");
    expect(await fine).toMatchObject({ title: "y" });
    expect(engine.health().ok).toBe(true);
    poison = false;
    expect(await engine.run("updateSession", { session: "s", title: "z" }, TESTER)).toMatchObject({
      title: "z",
    });
  });

  /** A turn runs, a prompt waits, and the next commit is refused. */
  async function givenUp() {
    const inner = await openStore(":memory:");
    let poison = false;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) => {
        if (!poison) return inner.append(batch);
        poison = false;
        return Promise.reject(new Error("event 9 does not follow 1"));
      },
    });
    const opened = await open({ store });
    const { engine, adapter } = opened;
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    await engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);
    const giveUp = async () => {
      poison = true;
      adapter.last.say({ type: "text.delta", part: "p", delta: "refused" });
      await until(() => !poison);
    };
    return { ...opened, giveUp };
  }

  it("is read again by itself: its followers see the end of the turn, and its prompts go on", async () => {
    const { engine, adapter, events, giveUp } = await givenUp();
    const seen: number[] = [];
    engine.follow("s", (batch) => seen.push(...batch.map(({ seq }) => seq)));
    await giveUp();
    await until(() => adapter.sessions.length === 2 && adapter.last.commands.length === 1);
    const log = await events();
    const ended = log.find((event) => event.type === "turn.ended");
    expect(ended).toMatchObject({ outcome: "interrupted", error: { code: "daemon_restarted" } });
    expect(seen).toContain(ended?.seq);
    expect(checkLog(log)).toEqual([]);
  });

  it("gets no new agent before all that the former one left is ended", async () => {
    const { engine, adapter, giveUp } = await givenUp();
    const order: string[] = [];
    adapter.release = async () => {
      await sleep(30);
      order.push("ended");
    };
    adapter.onConnect = () => order.push("started");
    await giveUp();
    await engine.run("getSession", { session: "s" }, TESTER);
    await until(() => order.length === 2);
    expect(order).toEqual(["ended", "started"]);
  });

  it("is not read again and again when it is refused each time", async () => {
    const inner = await openStore(":memory:");
    let poison = false;
    let refused = 0;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) => {
        if (!poison) return inner.append(batch);
        refused += 1;
        return Promise.reject(new Error("event 9 does not follow 1"));
      },
    });
    const { engine, adapter } = await open({ store });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    poison = true;
    adapter.last.say({ type: "text.delta", part: "p", delta: "refused" });
    await until(() => refused === 2);
    await engine.run("createSession", { id: "t", agent: "scripted", cwd: "/" }, TESTER).catch(() => {});
    expect(refused).toBe(3);
    poison = false;
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ id: "s" });
  });

  it("is not given up for a commit that succeeded and was reported as failed", async () => {
    for (const retryable of [true, false]) {
      const inner = await openStore(":memory:");
      let isLying = false;
      const store = instrumentStore(inner, {
        append: async (batch: readonly SessionAppend[]) => {
          const result = await inner.append(batch);
          if (!isLying) return result;
          isLying = false;
          throw Object.assign(new Error("disk I/O error"), { retryable });
        },
      });
      const { engine, adapter, events, has } = await open({ store });
      await create(engine);
      await create(engine, "t");
      await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
      await until(() => adapter.last?.commands.length === 1);
      isLying = true;
      adapter.last.say({ type: "text.delta", part: "p", delta: "there" });
      await has("text.delta");
      await until(() => engine.health().ok);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
      await has("turn.ended");
      const log = await events();
      expect(log.find((event) => event.type === "turn.ended")).toMatchObject({ outcome: "completed" });
      expect(adapter.sessions).toHaveLength(1);
      expect(checkLog(log)).toEqual([]);
    }
  });

  it("is created once, however often it is asked for while a commit fails", async () => {
    const inner = await openStore(":memory:");
    let failures = 1;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) =>
        failures-- > 0
          ? Promise.reject(Object.assign(new Error("full"), { retryable: true }))
          : inner.append(batch),
    });
    const { engine, events } = await open({ store });
    const results = await Promise.allSettled([create(engine), create(engine)]);
    expect(results.map(({ status }) => status)).toContain("rejected");
    await until(() => engine.health().ok);
    expect((await create(engine)).created).toBe(false);
    expect(await events()).toHaveLength(1);
  });
});

describe("a store that cannot write", () => {
  it("publishes nothing, takes no commands, turns health red and goes on when it can", async () => {
    const inner = await openStore(":memory:");
    let broken = false;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) =>
        broken
          ? Promise.reject(Object.assign(new Error("database or disk is full"), { retryable: true }))
          : inner.append(batch),
    });
    const { engine, adapter, events, has } = await open({ store });
    await create(engine);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    const seen: number[] = [];
    engine.follow("s", (batch) => seen.push(...batch.map(({ seq }) => seq)));
    broken = true;
    adapter.last.say({ type: "text.delta", part: "p", delta: "unseen" });
    await until(() => !engine.health().ok);
    expect(seen).toEqual([]);
    await expect(
      engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "queue" }, TESTER),
    ).rejects.toMatchObject({
      code: "store_unavailable",
    });
    for (let line = 0; line < 50; line += 1) adapter.last.say({ type: "text.delta", part: "p", delta: "x" });
    broken = false;
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    expect(engine.health().ok).toBe(true);
    const log = await events();
    expect(seen).toEqual(log.map((event) => event.seq).filter((seq) => seq >= seen[0]!));
    expect(checkLog(log)).toEqual([]);
  });
});
