/** Asks through the engine: who decides, what is refused, what happens when nobody answers. */

import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Draft } from "../../core/draft.ts";
import type { SessionEvent } from "../../core/event.ts";
import { evolve } from "../../core/evolve.ts";
import { principal } from "../../core/principal.ts";
import { emptyState } from "../../core/session-state.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, permission, running, text } from "../engine.test-support.ts";
import type { EngineLimits } from "../limits.ts";

describe("asks", () => {
  async function waiting(limits?: Partial<EngineLimits>) {
    const opened = await running(limits);
    opened.adapter.last.say(...permission);
    await opened.has("ask.opened");
    const ask = (await opened.events()).find((event) => event.type === "ask.opened")!;
    return { ...opened, ask: ask.ask };
  }

  it("lets the first answer win; an equal one succeeds again, another gets the winner", async () => {
    const { engine, adapter, ask, events, has } = await waiting();
    expect((await engine.run("getSession", { session: "s" }, TESTER)).status).toBe("waiting");
    const results = await Promise.allSettled([
      engine.run("replyToAsk", { session: "s", ask, reply: "once" }, principal("one", "test")),
      engine.run("replyToAsk", { session: "s", ask, reply: "reject" }, principal("two", "test")),
      engine.run("replyToAsk", { session: "s", ask, option: "allow" }, principal("three", "test")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({
      reason: { code: "ask_answered", extras: { answer: { option: "allow", by: "one" } } },
    });
    await has("ask.closed");
    await expect(
      engine.run("replyToAsk", { session: "s", ask, reply: "reject" }, principal("late", "test")),
    ).rejects.toMatchObject({
      code: "ask_answered",
    });
    await engine.run("replyToAsk", { session: "s", ask, reply: "once" }, principal("late", "test"));
    const replies = adapter.last.commands.filter((command) => command.type === "reply");
    expect(replies).toEqual([expect.objectContaining({ ask: "q", option: "allow", effect: "once" })]);
    expect((await events()).filter((event) => event.type === "ask.answered")).toHaveLength(1);
  });

  it("tells what was allowed for more than once, unless the agent never heard of it", async () => {
    const { engine, adapter, events } = await running();
    const always = { label: "Always allow", covers: ["Bash", "x".repeat(9000)], storedIn: "session" };
    const offer = (ask: string): Draft => ({
      type: "ask.opened",
      ask,
      kind: "permission",
      title: `Run ${ask}?`,
      options: [
        { id: "allow", label: "Allow", effect: "once" },
        { id: "rule", effect: "always", ...always },
      ],
    });
    adapter.last.say(offer("q1"), offer("q2"));
    await until(async () => (await events()).filter(({ type }) => type === "ask.opened").length === 2);
    const [first, second] = (await events()).flatMap((event) =>
      event.type === "ask.opened" ? event.ask : [],
    );
    await engine.run("replyToAsk", { session: "s", ask: second!, reply: "once" }, principal("two", "test"));
    expect((await engine.run("getSession", { session: "s" }, TESTER)).alwaysAllowed).toBeUndefined();
    await engine.run("replyToAsk", { session: "s", ask: first!, reply: "always" }, principal("one", "test"));
    const { alwaysAllowed = [] } = await engine.run("getSession", { session: "s" }, TESTER);
    const answered = { ask: first, title: "Run q1?", label: "Always allow", storedIn: "session", by: "one" };
    expect(alwaysAllowed).toMatchObject([answered]);
    expect(alwaysAllowed[0]?.covers).toEqual(["Bash", expect.stringMatching(/^x{500}…$/)]);
    const { seq, at } = (await events()).findLast(({ type }) => type === "ask.answered")!;
    expect(alwaysAllowed[0]).toMatchObject({ seq, at });
    await until(async () => (await events()).filter(({ type }) => type === "ask.closed").length === 2);
    expect((await engine.run("getSession", { session: "s" }, TESTER)).alwaysAllowed).toEqual(alwaysAllowed);

    // The same log with an answer that did not arrive.
    const log = (await events()).map((event) =>
      event.type === "ask.closed" && event.ask === first ? { ...event, delivered: false } : event,
    );
    const state = emptyState("s");
    for (const event of log) evolve(state, event);
    expect(state.alwaysAllowed).toEqual([]);
  });

  it("shows what became known of an ask since it was opened", async () => {
    const { engine, adapter, ask, has } = await waiting();
    adapter.last.say({ type: "ask.updated", ask: "q", detail: { command: "ls" } });
    await has("ask.updated");
    const shown = { ask, detail: { command: "ls" }, updatedSeq: expect.any(Number) };
    expect((await engine.run("listAsks", {}, TESTER)).asks).toMatchObject([shown]);
  });

  it("count how long a person was awaited apart from what the turn took", async () => {
    const { engine, adapter, ask, events, has, store } = await waiting();
    const at = async (type: SessionEvent["type"]) =>
      (await events()).find((event) => event.type === type)!.at;
    const openedAt = await at("ask.opened");
    await until(() => Date.now() > openedAt + 5);
    await engine.run("replyToAsk", { session: "s", ask, reply: "once" }, TESTER);
    const waitedMs = (await at("ask.answered")) - openedAt;
    expect(waitedMs).toBeGreaterThan(5);
    await has("ask.closed");
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    const ended = (await events()).find((event) => event.type === "turn.ended")!;
    expect(ended).toMatchObject({ waitedMs });
    expect(ended.durationMs).toBeGreaterThanOrEqual(waitedMs);
    const { rows } = await store.usage({ limit: 10 });
    const sum = (field: "durationMs" | "waitedMs") => rows.reduce((total, row) => total + row[field], 0);
    expect([sum("durationMs"), sum("waitedMs")]).toEqual([ended.durationMs, waitedMs]);
  });

  it("denies the call of a rejected ask", async () => {
    const { engine, ask, events, has } = await waiting();
    await engine.run(
      "replyToAsk",
      { session: "s", ask, reply: "reject", message: "not now" },
      principal("owner", "test"),
    );
    await has("tool.denied");
    expect((await events()).at(-1)).toMatchObject({ type: "tool.denied", reason: "not now" });
  });

  it("refuses what the ask does not offer and changes nothing", async () => {
    const { engine, ask, events } = await waiting();
    const before = (await events()).length;
    await expect(
      engine.run("replyToAsk", { session: "s", ask, reply: "always" }, principal("x", "test")),
    ).rejects.toMatchObject({
      code: "option_not_offered",
    });
    await expect(
      engine.run("replyToAsk", { session: "s", ask, option: "?" }, principal("x", "test")),
    ).rejects.toMatchObject({
      code: "option_not_offered",
    });
    await expect(
      engine.run("replyToAsk", { session: "s", ask: "a999", reply: "once" }, principal("x", "test")),
    ).rejects.toMatchObject({
      code: "ask_not_found",
    });
    await expect(
      engine.run(
        "replyToAsk",
        { session: "s", ask, reply: "once", kind: "question" },
        principal("x", "test"),
      ),
    ).rejects.toMatchObject({
      code: "ask_not_found",
    });
    expect(await events()).toHaveLength(before);
  });

  it("declines an ask nobody answered in time", async () => {
    const { engine, adapter, ask, events, has } = await waiting({ askTimeoutMs: 5 });
    await has("tool.denied");
    expect(adapter.last.commands.at(-1)).toMatchObject({ type: "reply", option: "deny", effect: "reject" });
    expect((await events()).find((event) => event.type === "ask.closed")).toMatchObject({
      outcome: "expired",
      delivered: true,
    });
    await expect(
      engine.run("replyToAsk", { session: "s", ask, reply: "once" }, principal("late", "test")),
    ).rejects.toMatchObject({
      code: "ask_closed",
    });
  });

  it("tells the agent that an ask has expired only when the log has it", async () => {
    const { adapter, store, has } = await running({ askTimeoutMs: 5 });
    const heads: Promise<SessionEvent | undefined>[] = [];
    adapter.last.onCommand = async () => {
      heads.push(
        store.readEvents("s", 0, 1000).then(({ events }) => JSON.parse(events.at(-1)?.json ?? "null")),
      );
    };
    adapter.last.say(...permission);
    await has("ask.closed");
    expect(await Promise.all(heads)).toMatchObject([
      { type: "ask.answered", option: "deny", effect: "reject", by: "daemon", expired: true },
    ]);
  });

  it("closes an expired ask as such when the daemon dies before the agent is told", async () => {
    const before = await open({ isKilled: true, limits: { askTimeoutMs: 5 } });
    await create(before.engine);
    await before.engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => before.adapter.last?.commands.length === 1);
    const session = before.adapter.last;
    const send = session.send.bind(session);
    session.send = (command) => (command.type === "reply" ? new Promise(() => {}) : send(command));
    session.say(...permission);
    await before.has("ask.answered");
    const { engine, adapter, events } = await open({ store: before.store });
    const { status } = await engine.run("getSession", { session: "s" }, TESTER);
    expect(status).toBe("idle");
    expect((await events()).find((event) => event.type === "ask.closed")).toMatchObject({
      outcome: "expired",
      delivered: false,
    });
    expect(adapter.sessions).toEqual([]);
    expect(checkLog(await events())).toEqual([]);
  });

  it("cancels an ask when its turn is stopped", async () => {
    const { engine, adapter, ask, has } = await waiting();
    expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
      true,
    );
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    await expect(
      engine.run("replyToAsk", { session: "s", ask, reply: "once" }, principal("late", "test")),
    ).rejects.toMatchObject({
      code: "ask_closed",
    });
    expect((await engine.run("interrupt", { session: "s" }, principal("owner", "test"))).interrupted).toBe(
      false,
    );
  });
});
