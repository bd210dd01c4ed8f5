/** One line of the daemon's log for each turn that did not complete, and for each crash outside a turn. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import type { Engine } from "../engine.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";

const TURN = "a turn did not complete";
const CRASH = "an agent crashed outside a turn";

/** Keeps the warnings about turns and crashes. */
function createLogger() {
  const lines: Record<string, unknown>[] = [];
  const keep = (details: object, message: string) => {
    if (message === TURN || message === CRASH) lines.push({ ...details, msg: message });
  };
  return { lines, logger: { info() {}, warn: keep, error() {} } };
}

async function prompt(engine: Engine, id: string): Promise<void> {
  await engine.run(
    "prompt",
    { session: "s", id, parts: text("do the PRIVATE thing"), whenBusy: "queue" },
    TESTER,
  );
}

/** Session `s` works on its first prompt. */
async function started(more: Parameters<typeof open>[0] = {}) {
  const { lines, logger } = createLogger();
  const opened = await open({ logger, ...more });
  await create(opened.engine);
  await prompt(opened.engine, "u1");
  await until(() => opened.adapter.last?.commands.length === 1);
  return { ...opened, lines };
}

describe("a turn that did not complete left nothing in the daemon's log", () => {
  it("a crash in a turn is one line, with how the process ended", async () => {
    const { adapter, engine, lines, has } = await started();
    adapter.last.say({ type: "text.delta", delta: "PRIVATE answer" });
    adapter.last.die(null, "SIGKILL", "PRIVATE last words");
    await has("session.detached");
    await until(() => lines.length > 0);
    await engine.close();
    expect(lines).toEqual([
      {
        ...{ session: "s", turn: expect.any(String), agent: "scripted", outcome: "failed" },
        ...{ code: "agent_exited", signal: "SIGKILL", durationMs: expect.any(Number), msg: TURN },
      },
    ]);
    expect(engine.stats().turns).toEqual([{ agent: "scripted", outcome: "failed", count: 1 }]);
  });

  it("a turn that the agent ended badly before it crashed is one line, and the crash one of its own", async () => {
    const { adapter, lines, has } = await started();
    const error = { code: "model_overloaded", message: "PRIVATE" };
    adapter.last.say({ type: "turn.ended", outcome: "failed", error });
    await until(() => lines.length === 1);
    adapter.last.die(7);
    await has("session.detached");
    await until(() => lines.length === 2);
    expect(lines).toMatchObject([
      { msg: TURN, outcome: "failed", code: "model_overloaded" },
      { msg: CRASH, session: "s", agent: "scripted", exit: 7 },
    ]);
    expect(lines[0]).not.toHaveProperty("exit");
    expect(lines[1]).not.toHaveProperty("turn");
    expect(JSON.stringify(lines)).not.toContain("PRIVATE");
  });

  it("limits and refusals have a line, completed turns and agents that leave have none", async () => {
    const { adapter, engine, lines } = await started();
    const outcomes = ["completed", "limit", "refused", "completed"] as const;
    for (const [place, outcome] of outcomes.entries()) {
      adapter.last.say({ type: "turn.ended", outcome });
      if (place === outcomes.length - 1) break;
      await prompt(engine, `u${place + 2}`);
      await until(() => adapter.last.commands.length === place + 2);
    }
    await until(() => engine.stats().turns.reduce((sum, { count }) => sum + count, 0) === 4);
    await engine.close();
    expect(lines).toMatchObject([{ outcome: "limit" }, { outcome: "refused" }]);
    expect(engine.stats().turns).toEqual([
      { agent: "scripted", outcome: "completed", count: 2 },
      { agent: "scripted", outcome: "limit", count: 1 },
      { agent: "scripted", outcome: "refused", count: 1 },
    ]);
  });

  it("a stop says who stopped, and a daemon that ends says so", async () => {
    const { adapter, engine, lines } = await started();
    await engine.run("interrupt", { session: "s" }, TESTER);
    adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
    await until(() => lines.length === 1);
    await prompt(engine, "u2");
    await until(() =>
      adapter.last.commands.some((command) => "message" in command && command.message === "u2"),
    );
    await engine.close();
    expect(lines).toMatchObject([
      { outcome: "interrupted", by: TESTER.name },
      { outcome: "interrupted", code: expect.any(String) },
    ]);
    expect(lines[1]).not.toHaveProperty("by");
  });

  it("an agent that does not start fails its turn with one line", async () => {
    const { lines, logger } = createLogger();
    const adapter = new ScriptedAdapter();
    adapter.failure = new Error("PRIVATE");
    const { engine } = await open({ logger, adapter });
    await create(engine);
    await prompt(engine, "u1");
    await until(() => lines.length === 1);
    expect(lines).toMatchObject([{ msg: TURN, outcome: "failed", code: "agent_failed" }]);
    expect(JSON.stringify(lines)).not.toContain("PRIVATE");
  });

  it("text that an agent puts where a code belongs stays out", async () => {
    const { adapter, engine, lines } = await started();
    const codes = ["rate_limit_error", "-32603", "the PRIVATE answer", "x".repeat(5000)];
    for (const [place, code] of codes.entries()) {
      adapter.last.say({ type: "turn.ended", outcome: "failed", error: { code, message: "PRIVATE" } });
      await until(() => lines.length === place + 1);
      await prompt(engine, `u${place + 2}`);
      await until(() => adapter.last.commands.length === place + 2);
    }
    expect(lines.map(({ code }) => code)).toEqual(["rate_limit_error", "-32603", "other", "other"]);
  });
});

describe("what another daemon left open", () => {
  it("a turn of a daemon that was killed has its line at the next start, once", async () => {
    const first = await started({ isKilled: true });
    await first.engine.run("interrupt", { session: "s" }, TESTER);
    const { lines, logger } = createLogger();
    const second = await open({ store: first.store, logger });
    await second.has("session.detached");
    await until(() => lines.length === 1);
    expect(lines).toMatchObject([{ outcome: "interrupted", code: "daemon_restarted", by: TESTER.name }]);
    expect(second.engine.stats().turns).toMatchObject([{ outcome: "interrupted", count: 1 }]);
    await second.engine.close();
    const third = await open({ store: first.store, logger });
    await third.engine.run("getSession", { session: "s" }, TESTER);
    expect(lines).toHaveLength(1);
    expect(first.lines).toEqual([]);
  });

  it("an idle agent that went with its daemon says so", async () => {
    const first = await started({ isKilled: true });
    first.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await first.has("turn.ended");
    const { lines, logger } = createLogger();
    const second = await open({ store: first.store, logger });
    await second.has("session.detached");
    await until(() => lines.length === 1);
    expect(lines).toEqual([{ session: "s", agent: "scripted", code: "daemon_restarted", msg: CRASH }]);
  });

  it("a turn of a node that died has its line at the node that took over", async () => {
    const store = await openStore(":memory:");
    const claims = new SharedClaims(store);
    const [a, b] = [claims.join("a"), claims.join("b")];
    const first = await started({ ...a, isKilled: true });
    const { lines, logger } = createLogger();
    await open({ ...b, logger });
    a.die();
    await b.listener().orphaned(await b.ownership.findOrphans());
    await until(() => lines.length === 1);
    expect(lines).toMatchObject([{ session: "s", outcome: "interrupted", code: "node_lost" }]);
    expect(first.lines).toEqual([]);
  });
});

it("a line comes once its event is committed, however often the commit is tried", async () => {
  let fails = false;
  const inner = await openStore(":memory:");
  const store = instrumentStore(inner, {
    append: (batch) =>
      fails
        ? Promise.reject(Object.assign(new Error("disk full"), { retryable: true }))
        : inner.append(batch),
  });
  const { adapter, engine, lines } = await started({ store });
  fails = true;
  adapter.last.say({ type: "turn.ended", outcome: "limit" });
  await until(() => engine.stats().failedCommits > 2);
  expect(lines).toEqual([]);
  expect(engine.stats().turns).toEqual([]);
  fails = false;
  await until(() => lines.length > 0);
  await engine.close();
  expect(lines).toHaveLength(1);
});

it("the history that a fork copies is neither reported nor counted again", async () => {
  const { adapter, engine, lines } = await started();
  adapter.last.say({ type: "turn.ended", outcome: "limit" });
  await until(() => lines.length === 1);
  await engine.run("forkSession", { session: "s", id: "f" }, TESTER);
  await engine.close();
  expect(lines).toHaveLength(1);
  expect(engine.stats().turns).toEqual([{ agent: "scripted", outcome: "limit", count: 1 }]);
});
