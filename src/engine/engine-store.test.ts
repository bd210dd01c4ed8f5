/** The engine with a store that does not take what it is given. */
import { describe, expect, it } from "vitest";
import { checkLog } from "../core/check-log.ts";
import type { SessionAppend } from "../core/store.ts";
import { openStore } from "../store/open-store.ts";
import { instrumentStore } from "../testkit/instrument-store.ts";
import { until } from "../testkit/until.ts";
import { create, open, text } from "./engine.test-support.ts";

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
    const refused = engine.updateSession("s", { title: "x" });
    const fine = engine.updateSession("t", { title: "y" });
    await expect(refused).rejects.toThrow("does not follow");
    expect(await fine).toMatchObject({ title: "y" });
    expect(engine.health().ok).toBe(true);
    poison = false;
    expect(await engine.updateSession("s", { title: "z" })).toMatchObject({ title: "z" });
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
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    const seen: number[] = [];
    engine.follow("s", (batch) => seen.push(...batch.map(({ seq }) => seq)));
    broken = true;
    adapter.last.say({ type: "text.delta", part: "p", delta: "unseen" });
    await until(() => !engine.health().ok);
    expect(seen).toEqual([]);
    await expect(engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).rejects.toMatchObject({
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
